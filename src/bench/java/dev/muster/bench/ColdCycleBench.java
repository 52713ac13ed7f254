package dev.muster.bench;

import dev.muster.engine.Plan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The first cycle that decides: 1,000 empty nodes of 8, 10 queues, 320,000 waiting jobs of 50 shapes, seen before. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 8)
@Measurement(iterations = 10)
public class ColdCycleBench {
    private Scene scene = new Scene(1, 1, 1);

    @Setup(Level.Iteration)
    public void fill() {
        scene = new Scene(1_000, 8, 10);
        scene.shapes(50, 1, 2, 4, 8);
        scene.submit(320_000, 10, false);
        scene.follow();
    }

    @Benchmark
    public Plan decide() {
        scene.lead();
        return scene.cycle();
    }
}

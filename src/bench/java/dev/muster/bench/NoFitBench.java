package dev.muster.bench;

import dev.muster.core.model.Gang;
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
import org.openjdk.jmh.annotations.Param;

/**
 * "Does not fit" for 10 pods of 8 GPUs on a full fleet of 500 nodes of 8: the gang is seen, judged and parked. It is due
 * its place; but a firm gang on each node keeps it from any, whoever else is stopped.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class NoFitBench {
    /** Whether 500 gangs may be stopped for it, or none. */
    @Param({"true", "false"})
    public boolean victims;

    private Scene scene = new Scene(1, 1, 1);
    private Gang asking = scene.gang(0, Scene.podsets(1, 1, 1, null), false);

    @Setup(Level.Trial)
    public void fill() {
        scene = Scenes.full(victims);
    }

    @Setup(Level.Invocation)
    public void submit() {
        scene.delete(asking.uid());
        scene.settle();
        asking = scene.submit(scene.gang(0, Scene.podsets(10, 8, 1_000, null), true));
    }

    @Benchmark
    public Plan judge() {
        return scene.cycle();
    }
}

package dev.muster.bench;

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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * A backlog of a million jobs of one GPU drains through 1,000 nodes of 8 in virtual time: every write is answered and seen,
 * all that runs ends together, and so on. The time is that of one job, from its admission to its end.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class DrainBench {
    private static final int JOBS = 1_000_000;

    @Param({"1", "1000"})
    public int shapes;

    private Scene scene = new Scene(1, 1, 1);

    @Setup(Level.Iteration)
    public void fill() {
        scene = new Scene(1_000, 8, 10);
        scene.shapes(shapes, 1);
        scene.submit(JOBS, 10, false);
        scene.follow();
        scene.lead();
    }

    @Benchmark
    @OperationsPerInvocation(JOBS)
    public long drain() {
        long admitted = scene.settle();
        while (!scene.running.isEmpty()) {
            scene.now += 60 * Scene.SECOND;
            for (int ended = scene.running.size(); ended > 0; ended--) {
                scene.finishOne();
            }
            admitted += scene.settle();
        }
        if (admitted != JOBS) {
            throw new IllegalStateException(admitted + " of " + JOBS + " jobs were admitted");
        }
        return admitted;
    }
}

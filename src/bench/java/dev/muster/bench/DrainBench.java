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
import org.openjdk.jmh.annotations.Param;

/**
 * A backlog of jobs of one GPU drains through 1,000 nodes of 8 in virtual time: every write is answered and seen, all that
 * runs ends together, and so on. Jobs divided by the time are the admissions in a second, each job's end included.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class DrainBench {
    @Param({"1", "1000"})
    public int shapes;

    @Param("1000000")
    public int jobs;

    private Scene scene = new Scene(1, 1, 1);

    @Setup(Level.Iteration)
    public void fill() {
        scene = new Scene(1_000, 8, 10);
        scene.shapes(shapes, 1);
        scene.submit(jobs, 10, false);
        scene.follow();
        scene.lead();
    }

    @Benchmark
    public long drain() {
        return drain(scene, jobs);
    }

    static long drain(Scene scene, int jobs) {
        long admitted = scene.settle();
        while (!scene.running.isEmpty()) {
            scene.now += 60 * Scene.SECOND;
            for (int ended = scene.running.size(); ended > 0; ended--) {
                scene.finishOne();
            }
            admitted += scene.settle();
        }
        if (admitted != jobs) {
            throw new IllegalStateException(admitted + " of " + jobs + " jobs were admitted");
        }
        return admitted;
    }
}

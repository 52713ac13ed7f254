package dev.muster.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The heap that a million waiting jobs of 50 shapes in 1,000 queues take, divided among them: all that an engine keeps of a
 * job, its names included. The time is of no interest.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = {"-Xmx3g", "-XX:+UseSerialGC"})
@Warmup(iterations = 0)
@Measurement(iterations = 1) // the counter would be the sum over iterations
public class HeapBench {
    private static final int JOBS = 1_000_000;

    /** What was measured. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Counted {
        public long bytesPerJob;
    }

    @Benchmark
    public Scene fill(Counted counted) {
        Scene scene = new Scene(1_000, 8, 1_000);
        scene.shapes(50, 1, 2, 4, 8);
        scene.follow();
        long before = used();
        for (int i = 0; i < JOBS; i++) {
            scene.see(scene.next(1_000, false));
        }
        scene.follow();
        counted.bytesPerJob = (used() - before) / JOBS;
        return scene;
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}

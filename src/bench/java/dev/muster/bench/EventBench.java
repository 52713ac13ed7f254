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
import org.openjdk.jmh.annotations.Param;

/** One event and the cycle after it, on 10,000 full nodes of 8 with 1,000 queues and ever more waiting jobs of 10 shapes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 4, time = 4)
public class EventBench {
    /** What happens: a gang ends, a job is submitted, or a node is cordoned and, the next time, usable again. */
    public enum Kind {
        FINISH,
        SUBMIT,
        NODE
    }

    @Param({"1000", "10000", "100000", "1000000"})
    public int waiting;

    @Param
    public Kind kind;

    private Scene scene = new Scene(1, 1, 1);
    private boolean usable;

    @Setup(Level.Trial)
    public void fill() {
        scene = Scenes.busy(waiting);
    }

    @Setup(Level.Invocation)
    public void store() {
        scene.settle();
        scene.now += Scene.SECOND;
    }

    @Benchmark
    public Plan event() {
        switch (kind) {
            case FINISH -> scene.finishOne();
            case SUBMIT -> scene.submit(scene.next(Scenes.QUEUES, false));
            case NODE -> {
                scene.show(77, usable);
                usable = !usable;
            }
        }
        return scene.cycle();
    }
}

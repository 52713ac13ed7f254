package dev.muster.bench;

import dev.muster.core.model.Gang;
import dev.muster.core.model.TopologyWish;
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

/** A plan to preempt on 2,000 full nodes of 8, among 700 gangs that may be stopped, for 5 pods of 8 GPUs in one rack. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PreemptionPlanBench {
    private Scene scene = new Scene(1, 1, 1);
    private Gang asking = scene.gang(0, Scene.podsets(1, 1, 1, null), false);

    @Setup(Level.Trial)
    public void fill() {
        scene = Scenes.lent();
    }

    @Setup(Level.Invocation)
    public void submit() {
        scene.refuseAll();
        scene.delete(asking.uid());
        scene.cycle();
        asking = scene.submit(scene.gang(0, Scene.podsets(5, 8, 1_000, new TopologyWish(Scene.RACK, true)), true));
    }

    @Benchmark
    public Plan plan() {
        return scene.cycle();
    }
}

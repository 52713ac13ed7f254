package dev.muster.bench;

import com.sun.management.ThreadMXBean;
import dev.muster.core.model.Gang;
import dev.muster.core.model.TopologyWish;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The scenes of the benchmarks measured by the processor time of the one thread that decides, for machines that others use
 * at the same time. Prints the best, the median and the 99th percentile of each, and the bytes allocated for one.
 */
public final class ProcessorTimes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ProcessorTimes() {}

    /** The arguments say which: cold, nofit, preempt, event:WAITING or drain:SHAPES:JOBS. */
    public static void main(String[] args) {
        for (String what : args) {
            String[] words = what.split(":");
            switch (words[0]) {
                case "cold" -> cold();
                case "nofit" -> noFit();
                case "preempt" -> preempt();
                case "event" -> events(Integer.parseInt(words[1]));
                case "drain" -> drain(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                default -> throw new IllegalArgumentException("no benchmark is named " + what);
            }
        }
    }

    private static void cold() {
        new Series("cold cycle", 12, 4).run(series -> {
            Scene scene = new Scene(1_000, 8, 10);
            scene.shapes(50, 1, 2, 4, 8);
            scene.submit(320_000, 10, false);
            scene.follow();
            scene.lead();
            series.measure(scene::cycle);
        });
    }

    private static void noFit() {
        Scene scene = Scenes.full(true);
        new Series("does not fit, 500 victims looked at", 2_000, 1_000).run(series -> {
            Gang asking = scene.submit(scene.gang(0, Scene.podsets(10, 8, 1_000, null), true));
            series.measure(scene::cycle);
            scene.delete(asking.uid());
            scene.settle();
        });
    }

    private static void preempt() {
        Scene scene = Scenes.lent();
        new Series("plan to preempt", 1_000, 300).run(series -> {
            Gang asking =
                    scene.submit(scene.gang(0, Scene.podsets(5, 8, 1_000, new TopologyWish(Scene.RACK, true)), true));
            series.measure(scene::cycle);
            scene.refuseAll();
            scene.delete(asking.uid());
            scene.cycle();
        });
    }

    private static void events(int waiting) {
        Scene scene = Scenes.busy(waiting);
        for (EventBench.Kind kind : EventBench.Kind.values()) {
            boolean[] usable = {false};
            new Series(kind + " with " + waiting + " waiting", 4_000, 2_000).run(series -> {
                scene.settle();
                scene.now += Scene.SECOND;
                series.measure(() -> {
                    switch (kind) {
                        case FINISH -> scene.finishOne();
                        case SUBMIT -> scene.submit(scene.next(Scenes.QUEUES, false));
                        case NODE -> scene.show(77, usable[0]);
                    }
                    scene.cycle();
                });
                usable[0] = !usable[0];
            });
        }
    }

    private static void drain(int shapes, int jobs) {
        new Series("drain of " + jobs + " jobs of " + shapes + " shapes", 3, 1).run(series -> {
            Scene scene = new Scene(1_000, 8, 10);
            scene.shapes(shapes, 1);
            scene.submit(jobs, 10, false);
            scene.follow();
            scene.lead();
            series.measure(() -> DrainBench.drain(scene, jobs));
        });
    }

    /** Repeated measurements of one kind, of which the first are for warming up. */
    private static final class Series {
        private final String name;
        private final int warmUp;
        private final long[] nanos;
        private int done;
        private long bytes;

        Series(String name, int rounds, int warmUp) {
            this.name = name;
            this.warmUp = warmUp;
            nanos = new long[rounds];
        }

        void run(Consumer<Series> round) {
            for (done = -warmUp; done < nanos.length; done++) {
                round.accept(this);
            }
            Arrays.sort(nanos);
            System.out.printf(
                    Locale.ROOT,
                    "%s: best %.3f ms, median %.3f, 99 of 100 %.3f; %d KB each%n",
                    name,
                    nanos[0] / 1e6,
                    nanos[nanos.length / 2] / 1e6,
                    nanos[nanos.length * 99 / 100] / 1e6,
                    bytes / nanos.length >> 10);
        }

        void measure(Runnable work) {
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            long before = THREADS.getCurrentThreadCpuTime();
            work.run();
            long after = THREADS.getCurrentThreadCpuTime();
            if (done >= 0) {
                nanos[done] = after - before;
                bytes += THREADS.getCurrentThreadAllocatedBytes() - allocated;
            }
        }
    }
}

package dev.muster.sim;

import java.util.OptionalLong;

/**
 * A job of a trace.
 *
 * @param name unique in its trace
 * @param submitAt milliseconds since the trace began
 * @param queue name of the queue it is submitted to
 * @param gpus all its GPUs, at least 1; up to 8 sit on one node, more go in equal members of at most 8
 * @param duration how long it runs, in milliseconds, at least 1
 * @param maxRuntime the bound of its run time that it declares; empty when it declares none
 * @param interruptible whether it may borrow and be preempted
 */
public record TraceJob(
        String name,
        long submitAt,
        String queue,
        int gpus,
        long duration,
        OptionalLong maxRuntime,
        boolean interruptible) {
    /** GPUs of one member: the largest divisor of {@link #gpus} that one node of 8 holds. */
    public int gpusPerMember() {
        int each = Math.min(8, gpus);
        while (gpus % each != 0) {
            each--;
        }
        return each;
    }

    /** GPU-milliseconds of useful work. */
    public long work() {
        return gpus * duration;
    }

    /** The same job in another queue. */
    public TraceJob in(String other) {
        return new TraceJob(name, submitAt, other, gpus, duration, maxRuntime, interruptible);
    }

    /** The same job with a declared bound, in milliseconds. */
    public TraceJob bounded(long bound) {
        return new TraceJob(name, submitAt, queue, gpus, duration, OptionalLong.of(bound), interruptible);
    }

    /** The same job, interruptible or firm. */
    public TraceJob interruptible(boolean is) {
        return new TraceJob(name, submitAt, queue, gpus, duration, maxRuntime, is);
    }
}

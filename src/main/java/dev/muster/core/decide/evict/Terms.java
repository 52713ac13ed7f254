package dev.muster.core.decide.evict;

/**
 * On which terms a queue's gangs are preempted; all times in milliseconds, at least 0.
 *
 * @param minRuntime how long a start is protected
 * @param restart what a restart costs at least, as run time of the whole gang
 * @param cap most run time that counts as lost; without it, who never reports a checkpoint could never be preempted
 * @param penalty added for each earlier eviction in 24 hours, as run time of the whole gang
 */
public record Terms(long minRuntime, long restart, long cap, long penalty) {
    /** Ten minutes of protection, ten minutes for a restart, at most four hours lost, half an hour for each eviction. */
    public static final Terms DEFAULT = new Terms(600_000, 600_000, 14_400_000, 1_800_000);

    private static final int MOST_DOUBLINGS = 3;
    private static final int PART_OF_EARLIER_RUNS = 10;

    /**
     * How long a gang is protected after its start: {@code minRuntime}, doubled for each eviction in the 24 hours before and
     * at most eightfold, and at least a tenth of what it has run in earlier attempts.
     */
    public long protection(int evictions, long ranBefore) {
        return Math.max(minRuntime << Math.min(evictions, MOST_DOUBLINGS), ranBefore / PART_OF_EARLIER_RUNS);
    }

    /**
     * What preempting a gang loses, in GPU milliseconds.
     *
     * @param gpus whole GPUs that it is charged
     * @param unsaved time since its start or its last checkpoint, whichever is later
     * @param evictions in the 24 hours before
     */
    public long cost(long gpus, long unsaved, int evictions) {
        return Math.multiplyExact(gpus, Math.min(unsaved, cap) + restart + penalty * evictions);
    }
}

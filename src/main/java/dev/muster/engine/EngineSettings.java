package dev.muster.engine;

/**
 * Numbers of the engine; all times in milliseconds.
 *
 * @param firstBackoff how long a gang rests after its first refused write; doubles with each further one
 * @param longestBackoff bound of that
 * @param stopAcknowledgement how long the end of a charge waits for the job's controller to have seen the admission
 * @param restartCost what a restart loses, of the gang's GPUs
 * @param lossCap most that counts as lost of a gang that reports no checkpoint
 * @param evictionPenalty what each eviction before adds to the cost of the next, of the gang's GPUs
 * @param reserving numbers of reservations
 * @param telling how often waiting gangs are told why they wait
 */
public record EngineSettings(
        long firstBackoff,
        long longestBackoff,
        long stopAcknowledgement,
        long restartCost,
        long lossCap,
        long evictionPenalty,
        Reserving reserving,
        Telling telling) {
    /** One second, five minutes, thirty seconds; ten minutes, four hours, half an hour. */
    public static final EngineSettings DEFAULT = new EngineSettings(
            1_000, 300_000, 30_000, 600_000, 14_400_000, 1_800_000, Reserving.DEFAULT, Telling.DEFAULT);

    /** How long to rest after a refusal that follows so many others in a row. */
    long backoff(int refusalsBefore) {
        return Math.min(firstBackoff << Math.min(refusalsBefore, 20), longestBackoff);
    }

    /** The same with other numbers of reservations. */
    public EngineSettings with(Reserving other) {
        return new EngineSettings(
                firstBackoff,
                longestBackoff,
                stopAcknowledgement,
                restartCost,
                lossCap,
                evictionPenalty,
                other,
                telling);
    }

    /** The same with other numbers of telling. */
    public EngineSettings with(Telling other) {
        return new EngineSettings(
                firstBackoff,
                longestBackoff,
                stopAcknowledgement,
                restartCost,
                lossCap,
                evictionPenalty,
                reserving,
                other);
    }

    /**
     * How often the reason is written on jobs that wait. It is written only when it has changed.
     *
     * @param after how long a gang waits before it is told, in milliseconds
     * @param again how long it is left alone then, in milliseconds
     * @param perSecond how many are told in a second at most; 0 means that nobody is told
     */
    public record Telling(long after, long again, int perSecond) {
        /** After one minute, then at most every five minutes, twenty a second. */
        public static final Telling DEFAULT = new Telling(60_000, 300_000, 20);
        /** Nobody is told. */
        public static final Telling NOBODY = new Telling(60_000, 300_000, 0);
    }

    /**
     * How far blocked gangs are planned ahead.
     *
     * @param ranks how many blocked gangs of a class hold a reservation, 0 to 60; 0 switches reservations off
     * @param saveAfter how old a gang without a kept time is when nodes are collected for it, in milliseconds
     * @param savePercent how much of a class may be closed for collecting, 0 to 100
     */
    public record Reserving(int ranks, long saveAfter, int savePercent) {
        /** Four; twelve hours; half. */
        public static final Reserving DEFAULT = new Reserving(4, 43_200_000, 50);
    }
}

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
 * @param life bounds of starts, repairs and nodes
 */
public record EngineSettings(
        long firstBackoff,
        long longestBackoff,
        long stopAcknowledgement,
        long restartCost,
        long lossCap,
        long evictionPenalty,
        Reserving reserving,
        Telling telling,
        Life life) {
    /** One second, five minutes, thirty seconds; ten minutes, four hours, half an hour. */
    public static final EngineSettings DEFAULT = new EngineSettings(
            1_000, 300_000, 30_000, 600_000, 14_400_000, 1_800_000, Reserving.DEFAULT, Telling.DEFAULT, Life.DEFAULT);

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
                telling,
                life);
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
                other,
                life);
    }

    /** The same with other bounds of starts, repairs and nodes. */
    public EngineSettings with(Life other) {
        return new EngineSettings(
                firstBackoff,
                longestBackoff,
                stopAcknowledgement,
                restartCost,
                lossCap,
                evictionPenalty,
                reserving,
                telling,
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

    /**
     * How long a gang may take to start or to be repaired, how often it may fail, and how long a node may be unwell.
     *
     * @param start how long after its admission every needed member must be on a node, or be replaced when it failed
     * @param trouble how long a member may be in trouble that rarely passes (image, configuration, crashes, no node)
     * @param longestStart how long members that are on their nodes, and not in trouble, may take to be ready
     * @param repair how long a gang that has run may be without a member
     * @param failures after how many failed attempts of its own in a row a gang is held, at least 1
     * @param firstRest how long a gang waits after its first failed attempt; doubles with each further one
     * @param longestRest bound of that
     * @param blink how long a node may be away, not ready, or without its labels before that counts
     * @param strikes so many refusals in a row strike a node, at least 1
     * @param struck how long a struck node gets nobody; doubles with each time, at most eightfold
     */
    public record Life(
            long start,
            long trouble,
            long longestStart,
            long repair,
            int failures,
            long firstRest,
            long longestRest,
            long blink,
            int strikes,
            long struck) {
        private static final long NEVER = 1L << 60;
        /** 5, 2, 30 and 5 minutes; 5 failures, 30 s to 30 minutes; 2 minutes; 3 refusals, 10 minutes. */
        public static final Life DEFAULT =
                new Life(300_000, 120_000, 1_800_000, 300_000, 5, 30_000, 1_800_000, 120_000, 3, 600_000);

        /** No bound: where nobody tells of pods, as in replays. */
        public static final Life UNBOUNDED =
                new Life(NEVER, NEVER, NEVER, NEVER, Integer.MAX_VALUE, 0, 0, 120_000, Integer.MAX_VALUE, 0);

        /** How long to rest after so many failed attempts in a row; 0 after none. */
        public long rest(int inARow) {
            return inARow <= 0 ? 0 : Math.min(firstRest << Math.min(inARow - 1, 20), longestRest);
        }
    }
}

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
 */
public record EngineSettings(
        long firstBackoff,
        long longestBackoff,
        long stopAcknowledgement,
        long restartCost,
        long lossCap,
        long evictionPenalty) {
    /** One second, five minutes, thirty seconds; ten minutes, four hours, half an hour. */
    public static final EngineSettings DEFAULT =
            new EngineSettings(1_000, 300_000, 30_000, 600_000, 14_400_000, 1_800_000);
}

package dev.muster.engine;

/**
 * Numbers of the engine; all times in milliseconds.
 *
 * @param firstBackoff how long a gang rests after its first refused write; doubles with each further one
 * @param longestBackoff bound of that
 * @param stopAcknowledgement how long the end of a charge waits for the job's controller to have seen the admission
 */
public record EngineSettings(long firstBackoff, long longestBackoff, long stopAcknowledgement) {
    /** One second, five minutes, thirty seconds. */
    public static final EngineSettings DEFAULT = new EngineSettings(1_000, 300_000, 30_000);
}

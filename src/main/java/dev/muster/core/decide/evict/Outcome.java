package dev.muster.core.decide.evict;

/** What a search for victims came to. */
public sealed interface Outcome {
    /** These may be stopped, and then the candidate fits. */
    record Evict(Eviction eviction) implements Outcome {}

    /** Nobody is stopped. */
    record Refused(NoEviction why) implements Outcome {}
}

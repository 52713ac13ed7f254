package dev.muster.core.decide.evict;

import dev.muster.core.share.Stake;

/** What is known of committed gangs as victims. Must answer the same for the whole of one search. */
public interface Victims {
    /**
     * Whether a gang may be stopped at all: it is past its protection and not already stopping. Firm gangs are not asked
     * about.
     */
    boolean mayStop(Stake gang);

    /** What stopping it loses, in any fixed unit, at least 0 and at most 2^50. */
    long cost(Stake gang);
}

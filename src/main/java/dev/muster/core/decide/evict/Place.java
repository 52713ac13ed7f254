package dev.muster.core.decide.evict;

import dev.muster.core.share.Stake;

/** Whether nodes would suffice for the candidate without some of the committed gangs. */
@FunctionalInterface
public interface Place {
    /** For worlds in which place always suffices. */
    Place ANYWHERE = (legal, out) -> true;

    /**
     * Whether the candidate finds a place.
     *
     * @param legal the gangs that may be victims, in a fixed order; for reading only
     * @param out which of them are gone; for reading only
     */
    boolean fits(Stake[] legal, boolean[] out);
}

package dev.muster.core.decide;

import dev.muster.core.model.Gang;
import java.util.Map;

/** What the owner of the ledger knows of the gangs that are committed, for the search for victims. */
public interface Committed {
    /**
     * Whether an interruptible gang may be stopped now: not already told to stop, and past its protection.
     *
     * @param now milliseconds since the epoch; {@link Long#MAX_VALUE} for whom protection does not hold
     */
    boolean mayStop(String uid, long now);

    /** When the next gang loses its protection, after {@code now}; {@link Long#MAX_VALUE} when none does. */
    long nextProtectionEnd(long now);

    /** What stopping it now loses, in milliseconds of its GPUs, 0 to 2^50. */
    long cost(String uid, long now);

    /** Whether a gang has its whole place in this class and gives way to nobody, so that it could be moved there. */
    boolean isMovable(String uid, String nodeClass);

    /** A gang that may be moved. */
    Gang gang(String uid);

    /** What it has booked on the committed side, by node. */
    Map<String, long[]> bookings(String uid);

    /** Its namespace and name, for people. */
    String title(String uid);
}

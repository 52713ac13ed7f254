package dev.muster.core.decide.reserve;

import dev.muster.core.model.Admission.NodeSlots;
import java.util.List;
import java.util.Map;

/**
 * A time and a place kept for a gang.
 *
 * @param at the time by which it starts, in milliseconds since the epoch; {@link #NEVER} when that is not known
 * @param place per podset its nodes in rank order; empty when there is none yet
 * @param bookings what it will take, by node, over the fleet's resources
 * @param closed whether nobody else may start on the place meanwhile
 * @param slips how often {@code at} rose
 * @param cause why {@code at} is what it is
 */
public record Reservation(
        Wish wish,
        long at,
        List<List<NodeSlots>> place,
        Map<String, long[]> bookings,
        boolean closed,
        int slips,
        Cause cause) {
    /** No time is known. */
    public static final long NEVER = Long.MAX_VALUE;

    public Reservation {
        place = List.copyOf(place);
        bookings = Map.copyOf(bookings);
    }

    /** Why a reservation has its time. */
    public enum Cause {
        /** It was planned so when it was made, or could be made earlier since. */
        PLANNED("Planned"),
        /** A gang ran beyond what it was taken to run. */
        OVERRUN("Overrun"),
        /** A node of its place was lost, or has less room than before. */
        CAPACITY_LOST("CapacityLost"),
        /** Queues, classes or its own job were changed. */
        POLICY("PolicyChanged"),
        /** A gang that is due more took room by preemption. */
        PREEMPTION("Preemption"),
        /** Muster was restarted, and others had been planned since the last time was stored. */
        RESTART("Restart"),
        /** A gang before it was planned anew, or began to collect. */
        HIGHER_RANK("HigherRank");

        private final String wireName;

        Cause(String wireName) {
            this.wireName = wireName;
        }

        /** The name as it stands in REST. */
        public String wireName() {
            return wireName;
        }
    }

    /** From when on it takes its place: at once when that is closed. */
    long from(long now) {
        return closed ? now : Math.max(now, at);
    }

    /** Until when it takes its place. */
    long until(long now) {
        return at == NEVER ? NEVER : wish.endFrom(Math.max(now, at));
    }

    /** Whether it keeps anything from others. */
    public boolean binds() {
        return closed || at != NEVER;
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.reserve.Departures;
import dev.muster.core.decide.reserve.Occupant;
import dev.muster.core.decide.reserve.Profile;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One class as reservations see it: who is there until when, and who has reserved what, in rank order.
 *
 * <p>The profile is made anew only when somebody asks and something has changed, and nobody asks while nothing is reserved.
 */
final class ClassBook {
    /** The least by which an end that has passed is put off, in milliseconds. */
    private static final long LEAST_EXTENSION = 60_000;

    final String nodeClass;
    final List<Reservation> ranks = new ArrayList<>();
    private final Departures departures = new Departures();
    private final Fleet fleet;
    private final Quotas quotas;
    private @Nullable Profile profile;
    private long profileAt;
    private @Nullable Standing profileOf;
    private long profileCharges;
    private long profileRoom;
    /** Whether there may be more room than when plans were made. */
    boolean freed;
    /** What may have made plans impossible; null when nothing has. */
    @Nullable
    Cause disturbed;

    ClassBook(String nodeClass, Fleet fleet, Quotas quotas) {
        this.nodeClass = nodeClass;
        this.fleet = fleet;
        this.quotas = quotas;
    }

    /** A gang is there, or has claimed a place. */
    void occupy(Occupant occupant) {
        departures.put(occupant);
        profile = null;
    }

    /** A gang has left. */
    void leave(String uid) {
        if (departures.remove(uid)) {
            freed = true;
            profile = null;
        }
    }

    /** What is known of a gang here; null when it is not here. */
    @Nullable
    Occupant occupant(String uid) {
        return departures.get(uid);
    }

    /** Something has changed; the cause is null when it cannot have made plans impossible. */
    void change(@Nullable Cause cause) {
        profile = null;
        freed = true;
        disturbed = disturbed == null ? cause : disturbed;
    }

    /** Ends that have passed are put off by as long as the gang has been there. */
    void extendOverruns(long now) {
        for (Occupant occupant : departures.endedBy(now)) {
            departures.put(occupant.endingAt(now + Math.max(LEAST_EXTENSION, now - occupant.since())));
            profile = null;
            disturbed = disturbed == null ? Cause.OVERRUN : disturbed;
        }
    }

    /** The future as it looks at a time, with all reservations. */
    Profile profile(long now) {
        Profile known = profile;
        if (known == null || !isCurrent(now)) {
            known = new Profile(fleet, quotas.standing(), quotas::stake, nodeClass, departures, ranks, now);
            profile = known;
            profileAt = now;
            profileOf = quotas.standing();
            profileCharges = quotas.standing().changes();
            profileRoom = fleet.version();
        }
        return known;
    }

    /** All reservations in rank order, for people; {@code title} gives namespace and name by UID. */
    List<Views.Promise> promises(Function<String, String> title) {
        List<Views.Promise> promises = new ArrayList<>();
        for (Reservation held : ranks) {
            promises.add(new Views.Promise(
                    held.wish().uid(),
                    title.apply(held.wish().uid()),
                    nodeClass,
                    promises.size() + 1,
                    held.at(),
                    held.bookings().keySet().stream().sorted().toList(),
                    held.closed(),
                    held.slips(),
                    held.cause()));
        }
        return promises;
    }

    /** To be called after {@link #ranks} has changed. */
    void ranksChanged(long now) {
        Profile known = profile;
        if (known != null && isCurrent(now)) {
            profile = known.with(ranks);
        } else {
            profile = null;
        }
    }

    /** Foreign pods, and pods whose job is gone, hold room and quota too. */
    private boolean isCurrent(long now) {
        return profileAt == now
                && profileOf == quotas.standing()
                && profileCharges == quotas.standing().changes()
                && profileRoom == fleet.version();
    }

    /** When time alone changes something; {@link Long#MAX_VALUE} when never. */
    long wakeAt() {
        return ranks.isEmpty() ? Long.MAX_VALUE : departures.nextEnd();
    }
}

package dev.muster.core.decide.reserve;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.Stake;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is charged of a ledger as gangs leave it.
 *
 * <p>Asked for times that rise, it takes each departure off once; so to look through all times costs as much as there are
 * departures. It holds for as long as neither the ledger nor the departures change.
 */
final class Ebb {
    private final Ledger now;
    private final boolean firmOnly;
    private final Departures departures;
    private final Function<String, @Nullable Stake> stakes;
    private final Map<Long, Ledger> kept = new HashMap<>();
    private @Nullable Ledger moving;
    private long reached = Long.MIN_VALUE;
    private @Nullable Occupant last;

    /** With everything charged; {@code firmOnly} when the ledger counts firm gangs alone. */
    Ebb(Ledger now, boolean firmOnly, Departures departures, Function<String, @Nullable Stake> stakes) {
        this.now = now;
        this.firmOnly = firmOnly;
        this.departures = departures;
        this.stakes = stakes;
    }

    /** What is charged at a time; to be left as it was found, and not to be used after the next question. */
    Ledger at(long time) {
        Ledger ledger = moving;
        if (ledger == null || time < reached) {
            ledger = now.copy();
            moving = ledger;
            last = null;
        }
        reached = time;
        last = ebb(ledger, last, time);
        return ledger;
    }

    /** The same of a time that is asked for again and again, among others. */
    Ledger often(long time) {
        return kept.computeIfAbsent(time, at -> {
            Ledger ledger = now.copy();
            ebb(ledger, null, at);
            return ledger;
        });
    }

    /** The same when these have gone before their time. */
    Ledger without(Set<String> gone, long time) {
        Ledger ledger = now.copy();
        for (Occupant occupant : departures.byEnd()) {
            if (occupant.end() <= time || gone.contains(occupant.uid())) {
                leave(ledger, occupant);
            }
        }
        return ledger;
    }

    private @Nullable Occupant ebb(Ledger ledger, @Nullable Occupant from, long time) {
        Occupant left = from;
        for (Occupant occupant : departures.after(from)) {
            if (occupant.end() > time) {
                break;
            }
            leave(ledger, occupant);
            left = occupant;
        }
        return left;
    }

    private void leave(Ledger ledger, Occupant occupant) {
        Stake stake = stakes.apply(occupant.uid());
        if (stake != null && (!firmOnly || stake.firm())) {
            ledger.uncharge(stake.queue(), stake.charge());
        }
    }
}

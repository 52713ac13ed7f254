package dev.muster.core.decide.reserve;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The quota side of a {@link Profile}: what is charged when, as gangs leave, and what of it is reserved.
 *
 * <p>Reserved quota binds only a gang on surplus: one that has, on its path below the common ancestor, no node that stays
 * within its own quota with it.
 */
final class ReservedQuota {
    private final Standing standing;
    private final Function<String, @Nullable Stake> stakes;
    private final Departures departures;
    private final List<Reservation> reservations;
    private final Share share;
    private final long now;
    private final Map<Long, Ledger> ledgers;
    private final Map<Long, Ledger> firmLedgers;

    ReservedQuota(
            Standing standing,
            Function<String, @Nullable Stake> stakes,
            Departures departures,
            List<Reservation> reservations,
            long now) {
        this(standing, stakes, departures, reservations, now, new HashMap<>(), new HashMap<>());
    }

    private ReservedQuota(
            Standing standing,
            Function<String, @Nullable Stake> stakes,
            Departures departures,
            List<Reservation> reservations,
            long now,
            Map<Long, Ledger> ledgers,
            Map<Long, Ledger> firmLedgers) {
        this.standing = standing;
        this.stakes = stakes;
        this.departures = departures;
        this.reservations = reservations;
        this.now = now;
        this.ledgers = ledgers;
        this.firmLedgers = firmLedgers;
        share = standing.share();
    }

    ReservedQuota with(List<Reservation> others) {
        return new ReservedQuota(standing, stakes, departures, others, now, ledgers, firmLedgers);
    }

    /** Whether quota holds a gang from a time until it has left, beside the reservations that bind it, once some have gone. */
    boolean fits(Stake candidate, Collection<String> unbound, long from, long until, Set<String> gone) {
        if (!fitsAt(candidate, unbound, from, gone)) {
            return false;
        }
        for (Reservation reservation : reservations) {
            long at = reservation.from(now);
            if (reservation.binds() && at > from && at < until && !fitsAt(candidate, unbound, at, gone)) {
                return false;
            }
        }
        return true;
    }

    private boolean fitsAt(Stake candidate, Collection<String> unbound, long at, Set<String> gone) {
        Ledger all = ledger(ledgers, false, at, gone);
        return fitsBeside(all, all, candidate, unbound, at, false)
                && (!candidate.firm()
                        || fitsBeside(ledger(firmLedgers, true, at, gone), all, candidate, unbound, at, true));
    }

    private Ledger ledger(Map<Long, Ledger> known, boolean firm, long at, Set<String> gone) {
        return gone.isEmpty() ? known.computeIfAbsent(at, t -> ledger(firm, t, gone)) : ledger(firm, at, gone);
    }

    /** The committed charge of all gangs, or of firm ones, at a time, but for those that are gone. */
    private Ledger ledger(boolean firm, long at, Set<String> gone) {
        Ledger ledger = (firm ? standing.committedFirm() : standing.committed()).copy();
        for (Occupant occupant : departures.byEnd()) {
            if (occupant.end() > at && !gone.contains(occupant.uid())) {
                if (gone.isEmpty()) {
                    break;
                }
                continue;
            }
            Stake stake = stakes.apply(occupant.uid());
            if (stake != null && (!firm || stake.firm())) {
                ledger.uncharge(stake.queue(), stake.charge());
            }
        }
        return ledger;
    }

    private boolean fitsBeside(
            Ledger in, Ledger normal, Stake candidate, Collection<String> unbound, long at, boolean firmOnly) {
        List<Stake> binding = new ArrayList<>();
        for (Reservation other : reservations) {
            Stake stake = other.wish().stake();
            boolean active = other.binds() && other.from(now) <= at && other.until(now) > at;
            if (active
                    && !unbound.contains(other.wish().uid())
                    && (!firmOnly || stake.firm())
                    && binds(stake, candidate, normal)) {
                binding.add(stake);
            }
        }
        binding.forEach(stake -> in.charge(stake.queue(), stake.charge()));
        boolean fits = in.admits(candidate.queue(), candidate.charge());
        binding.forEach(stake -> in.uncharge(stake.queue(), stake.charge()));
        return fits;
    }

    private boolean binds(Stake holder, Stake candidate, Ledger ledger) {
        QuotaTree tree = ledger.tree();
        int ancestor = tree.lowestCommonAncestor(holder.queue(), candidate.queue());
        return ancestor >= 0 && share.onSurplus(ledger, candidate.queue(), candidate.charge(), ancestor);
    }
}

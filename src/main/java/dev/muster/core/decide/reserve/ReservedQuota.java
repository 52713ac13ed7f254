package dev.muster.core.decide.reserve;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
    private final Ebb all;
    private final Ebb firm;
    private final List<Reservation> reservations;
    private final Share share;
    private final long now;

    ReservedQuota(
            Standing standing,
            Function<String, @Nullable Stake> stakes,
            Departures departures,
            List<Reservation> reservations,
            long now) {
        this(
                new Ebb(standing.committed(), false, departures, stakes),
                new Ebb(standing.committedFirm(), true, departures, stakes),
                standing.share(),
                reservations,
                now);
    }

    private ReservedQuota(Ebb all, Ebb firm, Share share, List<Reservation> reservations, long now) {
        this.all = all;
        this.firm = firm;
        this.share = share;
        this.reservations = reservations;
        this.now = now;
    }

    ReservedQuota with(List<Reservation> others) {
        return new ReservedQuota(all, firm, share, others, now);
    }

    /** Whether quota holds a gang from a time until it has left, beside the reservations that bind it, once some have gone. */
    boolean fits(Stake candidate, Collection<String> unbound, long from, long until, Set<String> gone) {
        if (!fitsAt(candidate, unbound, from, ebb -> gone.isEmpty() ? ebb.at(from) : ebb.without(gone, from))) {
            return false;
        }
        for (Reservation reservation : reservations) {
            long at = reservation.from(now);
            if (reservation.binds()
                    && at > from
                    && at < until
                    && !fitsAt(candidate, unbound, at, ebb -> gone.isEmpty() ? ebb.often(at) : ebb.without(gone, at))) {
                return false;
            }
        }
        return true;
    }

    private boolean fitsAt(Stake candidate, Collection<String> unbound, long at, Function<Ebb, Ledger> charged) {
        Ledger normal = charged.apply(all);
        return fitsBeside(normal, normal, candidate, unbound, at, false)
                && (!candidate.firm() || fitsBeside(charged.apply(firm), normal, candidate, unbound, at, true));
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

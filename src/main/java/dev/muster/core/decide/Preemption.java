package dev.muster.core.decide;

import dev.muster.core.decide.Verdict.Blocked;
import dev.muster.core.decide.Verdict.Fits;
import dev.muster.core.decide.Verdict.Preempts;
import dev.muster.core.decide.evict.Evictions;
import dev.muster.core.decide.evict.NoEviction;
import dev.muster.core.decide.evict.Outcome;
import dev.muster.core.decide.evict.Prospect;
import dev.muster.core.decide.evict.Victims;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.share.Stake;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whom a gang that has no quota or no place in a class may stop for it, place included. */
final class Preemption {
    private final Quotas quotas;
    private final Fleet fleet;
    private final Committed committed;
    private final Reserved reserved;
    private final Sentences sentences;

    Preemption(Quotas quotas, Fleet fleet, Committed committed, Reserved reserved, Sentences sentences) {
        this.quotas = quotas;
        this.fleet = fleet;
        this.committed = committed;
        this.reserved = reserved;
        this.sentences = sentences;
    }

    /**
     * Whom to stop; or that stopping all whom it may would free quota but no place; null when neither.
     *
     * @param mayTakeSurplus whether it has waited long enough to take what others live on beyond their own
     */
    @Nullable
    Verdict attempt(Gang gang, NodeClass nodeClass, Stake candidate, boolean mayTakeSurplus, long now) {
        Prospect prospect =
                new Evictions(quotas.standing()).prospect(candidate, mayTakeSurplus, victims(gang, nodeClass, now));
        if (prospect.nobody() != null) {
            return null;
        }
        Reserved.Span whole = reserved.toItsBound(gang);
        try (PlaceWithout place = new PlaceWithout(
                fleet,
                quotas,
                committed,
                gang,
                nodeClass.name(),
                gone -> reserved.keptWithout(gone, gang, nodeClass.name(), whole))) {
            Outcome outcome = prospect.search(place);
            return outcome instanceof Outcome.Evict evict
                    ? preempts(gang, nodeClass, candidate, evict.eviction().victims(), place)
                    : noPlace(nodeClass, (Outcome.Refused) outcome, prospect, place);
        }
    }

    /** A service that stays within its nominal does not wait for the protection of those who borrow it. */
    private Victims victims(Gang gang, NodeClass nodeClass, long now) {
        Queue queue = quotas.get(gang.queue());
        boolean serves = queue != null
                && queue.purpose() == Queue.Purpose.SERVING
                && quotas.headroom().isWithinNominal(queue, nodeClass.name(), quotas.charge(gang, nodeClass.name()));
        long protectionAt = serves ? Long.MAX_VALUE : now;
        return new Victims() {
            @Override
            public boolean mayStop(Stake victim) {
                return committed.mayStop(quotas.uid(victim), protectionAt);
            }

            @Override
            public long cost(Stake victim) {
                return committed.cost(quotas.uid(victim), now);
            }
        };
    }

    private @Nullable Verdict preempts(
            Gang gang, NodeClass nodeClass, Stake candidate, List<Stake> victims, PlaceWithout place) {
        List<String> uids = victims.stream().map(quotas::uid).toList();
        if (!(place.find(victims) instanceof Finding.Place found)
                || !reserved.leavesQuotaWithout(
                        Set.copyOf(uids), gang, nodeClass.name(), candidate, reserved.toItsBound(gang))) {
            return null;
        }
        List<String> titles = uids.stream().map(committed::title).toList();
        return new Preempts(
                Fits.of(quotas, gang, nodeClass.name(), found.podsets(), List.of()),
                uids,
                Map.of(),
                sentences.waitingForVictims(nodeClass.name(), titles));
    }

    private @Nullable Verdict noPlace(
            NodeClass nodeClass, Outcome.Refused refused, Prospect prospect, PlaceWithout place) {
        return refused.why() == NoEviction.NO_PLACE
                        && place.find(prospect.legal()) instanceof Finding.Shortfall shortfall
                ? new Blocked(
                        sentences.noPlaceEvenWithout(
                                nodeClass, shortfall, prospect.legal().size()),
                        Set.of())
                : null;
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Growth;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.share.Ledger;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.Stake;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * New nodes that waiting gangs want, class by class: those of gangs that only new nodes can serve, each gang whole and
 * counted once, as far as quota would let them all in, or others are on what their queue can take back, and the class may
 * grow.
 *
 * <p>Queues go by name, and in each lanes by priority and the age of their first gang. Gangs share new nodes where they
 * fit together. Nothing is kept and nothing is charged: what is published steers whoever makes nodes.
 */
final class WantedNodes {
    private final Fleet fleet;
    private final Quotas quotas;
    private final Judge judge;
    private final Map<String, Growth> growths = new TreeMap<>();
    private final Ledger committed;
    private final Ledger firm;
    /** Firm gangs that run, and all whose nodes are wanted. */
    private final Ledger unmovable;

    private WantedNodes(Fleet fleet, Quotas quotas, Judge judge) {
        this.fleet = fleet;
        this.quotas = quotas;
        this.judge = judge;
        committed = quotas.standing().committed().copy();
        firm = quotas.standing().committedFirm().copy();
        unmovable = firm.copy();
    }

    /** How many by name of the class; classes of which no node is wanted are left out. */
    static Map<String, Integer> of(Fleet fleet, Quotas quotas, Judge judge, WhoWaits whoWaits) {
        if (fleet.classes().stream().allMatch(nodeClass -> nodeClass.scaling() == null)) {
            return Map.of();
        }
        WantedNodes wanted = new WantedNodes(fleet, quotas, judge);
        for (String queue : whoWaits.queues()) {
            if (quotas.tree().indexOf(queue) >= 0) {
                whoWaits.lanes(queue).stream()
                        .sorted(Comparator.comparingInt((Lane lane) -> -lane.key.priority())
                                .thenComparing(lane -> lane.gangs.first()))
                        .forEach(wanted::add);
            }
        }
        Map<String, Integer> nodes = new TreeMap<>();
        wanted.growths.forEach((nodeClass, growth) -> nodes.put(nodeClass, growth.nodes()));
        return nodes;
    }

    private void add(Lane lane) {
        Gang gang = lane.gangs.first().gang;
        NodeClass nodeClass = gang == null ? null : judge.growingFor(gang).orElse(null);
        if (gang == null || nodeClass == null) {
            return;
        }
        Growth growth = growths.computeIfAbsent(nodeClass.name(), name -> new Growth(fleet, name));
        Stake stake = judge.candidate(gang, nodeClass);
        for (int i = 0; i < lane.gangs.size(); i++) {
            if (!letsIn(stake) || !growth.take(gang.podsets())) {
                return;
            }
            unmovable.charge(stake.queue(), stake.charge());
            committed.charge(stake.queue(), stake.charge());
            if (stake.firm()) {
                firm.charge(stake.queue(), stake.charge());
            }
        }
    }

    /** Quota is there, or others are on what its queue can take back. */
    private boolean letsIn(Stake stake) {
        if (stake.firm() && !firm.admits(stake.queue(), stake.charge())) {
            return false;
        }
        return committed.admits(stake.queue(), stake.charge()) || isWithinOwn(stake);
    }

    private boolean isWithinOwn(Stake stake) {
        for (int i = 0; i < stake.charge().size(); i++) {
            int dim = stake.charge().dim(i);
            long own = quotas.tree().subtree(LedgerKind.NORMAL, stake.queue(), dim);
            if (unmovable.used(stake.queue(), dim) + stake.charge().amount(i) > own) {
                return false;
            }
        }
        return true;
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.share.Charge;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An order of turns that stays right while gangs are admitted and lanes parked; to be closed at the end of the cycle. */
final class Turns implements AutoCloseable {
    private final Backlog backlog;
    private final Parking parking;
    private final Judge judge;
    private final SortedMap<String, Line> lines;
    private final Quotas quotas;
    private final long now;
    /** Who may get a rank, where ranks are given; null where none are. */
    private final @Nullable Predicate<Lane> mayReserve;

    private final TreeSet<String> outside = new TreeSet<>();
    private final Set<String> queues;
    /** By node of the tree the lane that was offered; null for none. */
    private final @Nullable Lane[] offered;

    private boolean finished;

    Turns(
            Backlog backlog,
            Parking parking,
            Set<String> withOpen,
            SortedMap<String, Line> lines,
            Quotas quotas,
            Judge judge,
            long now,
            Set<Blocker> stirred,
            @Nullable Predicate<Lane> mayReserve) {
        this.mayReserve = mayReserve;
        this.backlog = backlog;
        this.parking = parking;
        this.judge = judge;
        this.lines = lines;
        this.quotas = quotas;
        this.now = now;
        queues = queuesInTurn(withOpen, stirred);
        offered = new Lane[quotas.tree().size()];
        begin();
    }

    private void begin() {
        int[] nodes = new int[queues.size()];
        Charge[] charges = new Charge[nodes.length];
        long[] since = new long[nodes.length];
        int count = 0;
        for (String queue : queues) {
            Lane lane = next(queue);
            int node = quotas.tree().indexOf(queue);
            if (lane != null && node >= 0) {
                offered[node] = lane;
                nodes[count] = node;
                charges[count] = turn(lane);
                since[count++] = lane.head().waitsSince;
            } else if (lane != null) {
                outside.add(queue);
            }
        }
        quotas.order().offer(nodes, charges, since, count);
    }

    /** The queues with lanes that are open, or due because what they are parked at was stirred. */
    private Set<String> queuesInTurn(Set<String> withOpen, Set<Blocker> stirred) {
        Set<String> queues = new TreeSet<>(withOpen);
        if (!stirred.isEmpty()) {
            lines.forEach((queue, line) -> {
                if ((mayReserve != null || line.mayBeLetIn(quotas)) && line.stir(stirred, this::mayTurn)) {
                    queues.add(queue);
                }
            });
        }
        return queues;
    }

    private boolean mayTurn(Lane lane) {
        return mayReserve != null && mayReserve.test(lane) || mayStart(lane);
    }

    /** Whether nodes, and quota where only one class is asked, may let the first gang of a lane in now; never a wrong no. */
    private boolean mayStart(Lane lane) {
        Charge charge = lane.turn;
        return parking.mayStart(lane)
                && (charge == null
                        || !lane.asksOneClass()
                        || quotas.mayLetIn(lane.key.queue(), charge, !lane.key.interruptible()));
    }

    /** What quota the first gang of a lane takes in its first class; nothing when there is none. */
    private Charge turn(Lane lane) {
        Charge known = lane.turn;
        if (known == null) {
            Gang first = lane.head().gang;
            List<Map.Entry<String, Amounts>> charges = first == null ? List.of() : judge.charges(first);
            known = charges.isEmpty() ? Charge.of() : quotas.charge(charges.subList(0, 1));
            lane.turn = known;
            Line line = lines.get(lane.key.queue());
            if (line != null) {
                line.learn(lane, known, lane.asksOneClass());
            }
        }
        return known;
    }

    private @Nullable Lane next(String queue) {
        Line line = lines.get(queue);
        return line == null ? null : line.next(now, this::mayTurn);
    }

    /** The lane whose first gang is to be judged next, open from now on; null when there is none. */
    @Nullable
    Lane next() {
        while (true) {
            int node = outside.isEmpty() ? quotas.order().next() : -1;
            String queue = node >= 0 ? quotas.tree().name(node) : outside.isEmpty() ? null : outside.first();
            if (queue == null) {
                finished = true;
                return null;
            }
            Lane lane = next(queue);
            if (lane != null && (node < 0 || lane == offered[node])) {
                if (lane.blocked != null) {
                    backlog.open(lane);
                }
                return lane;
            }
            again(queue); // what was offered has no room any more
        }
    }

    /** The queue has been served, or a lane of it opened or parked: it takes part as it stands now. */
    void again(String queue) {
        Lane lane = next(queue);
        int node = quotas.tree().indexOf(queue);
        if (node < 0) {
            if (lane == null) {
                outside.remove(queue);
            } else {
                outside.add(queue);
            }
            return;
        }
        offered[node] = lane;
        if (lane == null) {
            quotas.order().withdraw(node);
        } else {
            quotas.order().offer(node, turn(lane), lane.head().waitsSince);
        }
    }

    @Override
    public void close() {
        quotas.order().withdrawAll();
        for (String queue : queues) {
            Line line = lines.get(queue);
            for (Lane lane : line == null ? List.<Lane>of() : line.takeDue()) {
                if (!finished && mayReserve == null && lane.blocked != null) {
                    backlog.open(lane); // the budget has run out: its turn comes in the next cycle
                }
            }
        }
    }
}

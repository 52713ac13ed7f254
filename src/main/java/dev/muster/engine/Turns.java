package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.share.Charge;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An order of turns that stays right while gangs are admitted and lanes parked; to be closed at the end of the cycle. */
final class Turns implements AutoCloseable {
    private final SortedMap<String, Line> lines;
    private final Quotas quotas;
    private final Judge judge;
    private final long now;
    private final TreeSet<Integer> offered = new TreeSet<>();
    private final TreeSet<String> outside = new TreeSet<>();

    Turns(SortedMap<String, Line> lines, Quotas quotas, Judge judge, long now) {
        this.lines = lines;
        this.quotas = quotas;
        this.judge = judge;
        this.now = now;
        lines.keySet().forEach(this::again);
    }

    /** The lane whose first gang is to be judged next; null when no lane is open. */
    @Nullable
    Lane next() {
        if (!outside.isEmpty()) {
            Line line = lines.get(outside.first());
            return line == null ? null : line.next(now);
        }
        int node = quotas.order().next();
        Line line = node < 0 ? null : lines.get(quotas.tree().name(node));
        return line == null ? null : line.next(now);
    }

    /** The queue has been served, or a lane of it opened or parked: it takes part as it stands now. */
    void again(String queue) {
        Line line = lines.get(queue);
        Lane lane = line == null ? null : line.next(now);
        int node = quotas.tree().indexOf(queue);
        if (node < 0) {
            if (lane == null) {
                outside.remove(queue);
            } else {
                outside.add(queue);
            }
        } else if (lane == null) {
            quotas.order().withdraw(node);
            offered.remove(node);
        } else {
            quotas.order().offer(node, charge(lane), lane.head().waitsSince);
            offered.add(node);
        }
    }

    private Charge charge(Lane lane) {
        Gang first = lane.head().gang;
        List<Map.Entry<String, Amounts>> charges = first == null ? List.of() : judge.charges(first);
        return charges.isEmpty() ? Charge.of() : quotas.charge(charges.subList(0, 1));
    }

    @Override
    public void close() {
        offered.forEach(node -> quotas.order().withdraw(node));
    }
}

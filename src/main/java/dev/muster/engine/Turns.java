package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.share.Charge;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An order of turns that stays right while gangs are admitted and lanes parked; to be closed at the end of the cycle. */
final class Turns implements AutoCloseable {
    private final Backlog backlog;
    private final SortedMap<String, Line> lines;
    private final Quotas quotas;
    private final long now;
    private final TreeSet<String> outside = new TreeSet<>();
    private final Set<String> queues;
    /** By node of the tree the lane that was offered; null for none. */
    private final @Nullable Lane[] offered;

    private boolean finished;

    Turns(Backlog backlog, SortedMap<String, Line> lines, Quotas quotas, long now) {
        this.backlog = backlog;
        this.lines = lines;
        this.quotas = quotas;
        this.now = now;
        queues = backlog.queuesInTurn();
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
                charges[count] = backlog.turn(lane);
                since[count++] = lane.head().waitsSince;
            } else if (lane != null) {
                outside.add(queue);
            }
        }
        quotas.order().offer(nodes, charges, since, count);
    }

    private @Nullable Lane next(String queue) {
        Line line = lines.get(queue);
        return line == null ? null : line.next(now, backlog::mayStart);
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
            quotas.order().offer(node, backlog.turn(lane), lane.head().waitsSince);
        }
    }

    @Override
    public void close() {
        quotas.order().withdrawAll();
        for (String queue : queues) {
            Line line = lines.get(queue);
            for (Lane lane : line == null ? List.<Lane>of() : line.takeDue()) {
                if (!finished && lane.blocked != null) {
                    backlog.open(lane); // the budget has run out: its turn comes in the next cycle
                }
            }
        }
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Load;
import dev.muster.core.decide.QuotaBook;
import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Gang;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All waiting gangs, in lanes, in lines of one queue each.
 *
 * <p>A lane is <em>open</em> until its first gang was judged and refused; then it is parked at everything that could
 * unblock it and costs nothing until one of these changes. So the cost of a cycle follows what changed, not what waits.
 */
final class Backlog {
    private final QuotaBook quotas;
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final TreeMap<String, Line> lines = new TreeMap<>();
    private final Map<Blocker, LinkedHashSet<Lane>> parked = new HashMap<>();

    /** The lanes of one queue. */
    private static final class Line {
        final TreeSet<Lane> open = new TreeSet<>();
        final LinkedHashSet<Lane> all = new LinkedHashSet<>();
        int gangs;
    }

    /** A queue with an open lane, as it stands in the order between queues. */
    private record Turn(String queue, Load load, Lane lane) {}

    private static final Comparator<Turn> ORDER = Comparator.comparing(Turn::load)
            .thenComparing((Turn turn) -> turn.lane.gangs.first())
            .thenComparing(Turn::queue);

    Backlog(QuotaBook quotas) {
        this.quotas = quotas;
    }

    /** Puts a gang into its lane; its podsets become those of the lane, so that equal shapes are stored once. */
    void add(GangEntry entry, Gang gang) {
        Lane.Key key = Lane.Key.of(gang);
        Lane lane = lanes.computeIfAbsent(key, Lane::new);
        Line line = lines.computeIfAbsent(key.queue(), queue -> new Line());
        line.all.add(lane);
        boolean isNew = lane.gangs.isEmpty();
        boolean wasOpen = !isNew && line.open.remove(lane);
        entry.lane = lane;
        entry.gang = new Gang(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                lane.key.queue(),
                gang.priority(),
                gang.interruptible(),
                gang.submittedAt(),
                lane.key.podsets(),
                lane.key.nodeClasses(),
                lane.key.requirements(),
                gang.maxRuntime());
        lane.gangs.add(entry);
        line.gangs++;
        if (wasOpen || isNew) {
            line.open.add(lane);
        }
    }

    /** Takes a gang out; harmless when it is not in. */
    void remove(GangEntry entry) {
        Lane lane = entry.lane;
        if (lane == null) {
            return;
        }
        entry.lane = null;
        Line line = line(lane);
        boolean wasOpen = line.open.remove(lane);
        lane.gangs.remove(entry);
        line.gangs--;
        if (lane.gangs.isEmpty()) {
            unpark(lane);
            line.all.remove(lane);
            lanes.remove(lane.key);
            if (line.all.isEmpty()) {
                lines.remove(lane.key.queue());
            }
        } else if (wasOpen) {
            line.open.add(lane);
        }
    }

    /** The lanes to judge, the next first: queues with the least load, then the older first gang. */
    Turns turns() {
        PriorityQueue<Turn> heap = new PriorityQueue<>(ORDER);
        lines.forEach((queue, line) -> enqueue(heap, queue, line));
        return new Turns(heap);
    }

    /** An order of turns that stays right while gangs are admitted and lanes parked. */
    final class Turns {
        private final PriorityQueue<Turn> heap;

        private Turns(PriorityQueue<Turn> heap) {
            this.heap = heap;
        }

        /** The lane whose first gang is to be judged next; null when no lane is open. */
        @Nullable
        Lane next() {
            Turn turn = heap.poll();
            return turn == null ? null : turn.lane;
        }

        /** The queue of the lane has been served, or its lane parked: it takes part again as it stands now. */
        void again(String queue) {
            Line line = lines.get(queue);
            if (line != null) {
                enqueue(heap, queue, line);
            }
        }
    }

    /** Parks a lane at what blocks its first gang. */
    void park(Lane lane, Verdict.Blocked blocked) {
        line(lane).open.remove(lane);
        lane.blocked = blocked;
        blocked.blockers()
                .forEach(blocker -> parked.computeIfAbsent(blocker, b -> new LinkedHashSet<>())
                        .add(lane));
    }

    /** Opens every lane that is parked at the blocker. */
    void wake(Blocker blocker) {
        LinkedHashSet<Lane> woken = parked.get(blocker);
        if (woken != null) {
            List.copyOf(woken).forEach(lane -> {
                unpark(lane);
                line(lane).open.add(lane);
            });
        }
    }

    /** Opens every lane. */
    void wakeAll() {
        List.copyOf(parked.keySet()).forEach(this::wake);
    }

    /** Whether some lane has still to be judged. */
    boolean hasOpen() {
        return lines.values().stream().anyMatch(line -> !line.open.isEmpty());
    }

    /** Gangs that wait in a queue. */
    int size(String queue) {
        Line line = lines.get(queue);
        return line == null ? 0 : line.gangs;
    }

    /** Lanes of a queue, in no order. */
    Collection<Lane> lanes(String queue) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.all;
    }

    /** Names of the queues with waiting gangs, sorted. */
    List<String> queues() {
        return List.copyOf(lines.keySet());
    }

    /** How many gangs of the queue go before one of this priority and age; {@code entry} need not wait itself. */
    int countAhead(String queue, int priority, GangEntry entry) {
        int ahead = 0;
        for (Lane lane : lanes(queue)) {
            if (lane.key.priority() > priority) {
                ahead += lane.gangs.size();
            } else if (lane.key.priority() == priority) {
                ahead += lane.gangs.countBefore(entry);
            }
        }
        return ahead;
    }

    /** The first gangs of a queue in the order of their places in line. */
    List<GangEntry> inLine(String queue, int limit) {
        record Cursor(Lane lane, int rank) {
            GangEntry entry() {
                return lane.gangs.get(rank);
            }
        }
        PriorityQueue<Cursor> heads =
                new PriorityQueue<>(Comparator.comparingInt((Cursor cursor) -> -cursor.lane.key.priority())
                        .thenComparing(Cursor::entry));
        lanes(queue).forEach(lane -> heads.add(new Cursor(lane, 0)));
        List<GangEntry> line = new ArrayList<>();
        while (!heads.isEmpty() && line.size() < limit) {
            Cursor head = heads.remove();
            line.add(head.entry());
            if (head.rank + 1 < head.lane.gangs.size()) {
                heads.add(new Cursor(head.lane, head.rank + 1));
            }
        }
        return line;
    }

    private Line line(Lane lane) {
        Line line = lines.get(lane.key.queue());
        if (line == null) {
            throw new IllegalStateException("lane of queue " + lane.key.queue() + " stands in no line");
        }
        return line;
    }

    private void enqueue(PriorityQueue<Turn> heap, String queue, Line line) {
        if (!line.open.isEmpty()) {
            heap.add(new Turn(queue, quotas.load(queue), line.open.first()));
        }
    }

    private void unpark(Lane lane) {
        Verdict.Blocked blocked = lane.blocked;
        if (blocked != null) {
            lane.blocked = null;
            blocked.blockers()
                    .forEach(blocker -> parked.computeIfPresent(blocker, (b, at) -> {
                        at.remove(lane);
                        return at.isEmpty() ? null : at;
                    }));
        }
    }
}

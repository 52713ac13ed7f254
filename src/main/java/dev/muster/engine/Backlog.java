package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.Reason;
import dev.muster.core.share.Charge;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    private final Quotas quotas;
    private final Judge judge;
    private final LearnedTimes learned;
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final TreeMap<String, Line> lines = new TreeMap<>();
    private final Map<Blocker, LinkedHashSet<Lane>> parked = new HashMap<>();
    private final TreeSet<Long> times = new TreeSet<>();

    Backlog(Quotas quotas, Judge judge, LearnedTimes times) {
        this.quotas = quotas;
        this.judge = judge;
        this.learned = times;
    }

    /** What the gang is expected to run, in milliseconds. */
    long expected(Gang gang) {
        return learned.expected(gang);
    }

    /** Puts a gang into its lane; its podsets become those of the lane, so that equal shapes are stored once. */
    void add(GangEntry entry, Gang gang) {
        Lane lane = lanes.computeIfAbsent(Lane.Key.of(gang, expected(gang)), Lane::new);
        Line line = lines.computeIfAbsent(lane.key.queue(), queue -> new Line());
        line.add(lane);
        boolean open = lane.blocked == null;
        line.close(lane);
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
        if (open) {
            line.open(lane);
        }
        want(lane);
    }

    /** Takes a gang out; harmless when it is not in. */
    void remove(GangEntry entry) {
        Lane lane = entry.lane;
        if (lane == null) {
            return;
        }
        entry.lane = null;
        Line line = line(lane);
        line.close(lane);
        lane.gangs.remove(entry);
        entry.reservedIn = "";
        line.gangs--;
        want(lane);
        if (lane.gangs.isEmpty()) {
            unpark(lane);
            line.remove(lane);
            lanes.remove(lane.key);
            if (line.isEmpty()) {
                lines.remove(lane.key.queue());
            }
        } else if (lane.blocked == null) {
            line.open(lane);
        }
    }

    /** A waiting gang holds a reservation in a class from now on; none when empty. */
    void reserve(GangEntry entry, String nodeClass) {
        Lane lane = entry.lane;
        if (lane == null) {
            return;
        }
        Line line = line(lane);
        line.close(lane);
        entry.reservedIn = nodeClass;
        if (nodeClass.isEmpty()) {
            unpark(lane); // its first gang is another now
        }
        if (lane.blocked == null) {
            line.open(lane);
        }
    }

    /** Policy or classes have changed: every lane asks again for what it may use, and is judged anew. */
    void startOver() {
        lanes.values().forEach(lane -> {
            lane.wants = null;
            want(lane);
            unpark(lane);
            lane.last = null;
            line(lane).open(lane);
        });
    }

    /** Tells quota what the gangs of a lane want; what is not runnable wants nothing. */
    private void want(Lane lane) {
        List<Map.Entry<String, Amounts>> wants = lane.wants;
        Gang first = lane.gangs.isEmpty() ? null : lane.gangs.first().gang;
        if (wants == null && first != null) {
            wants = judge.isRunnable(first) ? judge.charges(first) : List.of();
            lane.wants = wants;
        }
        quotas.want(lane, lane.key.queue(), wants == null ? List.of() : wants, lane.gangs.size());
    }

    /** A lane was judged: what was found not runnable wants nothing from now on, and what is runnable wants again. */
    private void wantIf(boolean canRun, Lane lane) {
        if (lane.wants == null || lane.wants.isEmpty() == canRun) {
            lane.wants = null;
            want(lane);
        }
    }

    /** An order of turns that stays right while gangs are admitted and lanes parked; close it at the end of the cycle. */
    final class Turns implements AutoCloseable {
        private final long now;
        private final TreeSet<Integer> offered = new TreeSet<>();
        private final TreeSet<String> outside = new TreeSet<>();

        Turns(long now) {
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
                quotas.order().offer(node, charge(lane), lane.head().submittedAt);
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

    /** Parks a lane at what blocks its first gang. */
    void park(Lane lane, Verdict.Blocked blocked) {
        line(lane).close(lane);
        wantIf(blocked.waiting().reason() != Reason.NEVER_RUNNABLE && !blocked.blockers().isEmpty(), lane);
        lane.blocked = blocked;
        lane.last = blocked;
        for (Blocker blocker : blocked.blockers()) {
            parked.computeIfAbsent(blocker, b -> new LinkedHashSet<>()).add(lane);
            if (blocker instanceof Blocker.Time time) {
                times.add(time.at());
            }
        }
    }

    /** Opens every lane that is parked at the blocker. */
    void wake(Blocker blocker) {
        LinkedHashSet<Lane> woken = parked.get(blocker);
        if (woken != null) {
            List.copyOf(woken).forEach(lane -> {
                unpark(lane);
                line(lane).open(lane);
            });
        }
    }

    /** The same, but for lanes that surely still have no place. */
    void wakeWhatMayStart(Blocker blocker) {
        LinkedHashSet<Lane> woken = parked.get(blocker);
        if (woken != null) {
            List.copyOf(woken).stream().filter(this::mayStart).forEach(lane -> {
                unpark(lane);
                line(lane).open(lane);
            });
        }
    }

    private boolean mayStart(Lane lane) {
        Gang first = lane.gangs.first().gang;
        return first == null || !judge.cannotStart(first);
    }

    /** Opens every lane that waits for a time that has come. */
    void wakeUntil(long now) {
        while (!times.isEmpty() && times.first() <= now) {
            wake(new Blocker.Time(times.pollFirst()));
        }
    }

    /** The next time that some lane waits for; {@link Long#MAX_VALUE} when none does. */
    long nextTime() {
        return times.isEmpty() ? Long.MAX_VALUE : times.first();
    }

    /** Whether some lane has still to be judged. */
    boolean hasOpen() {
        return lines.values().stream().anyMatch(Line::hasOpen);
    }

    /** Gangs that wait in a queue. */
    int size(String queue) {
        Line line = lines.get(queue);
        return line == null ? 0 : line.gangs;
    }

    /** Lanes of a queue, in no order. */
    Collection<Lane> lanes(String queue) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.all();
    }

    /** Names of the queues with waiting gangs, sorted. */
    List<String> queues() {
        return List.copyOf(lines.keySet());
    }

    /** How many waiting gangs go before this one in its queue; it need not wait itself. */
    int countAhead(Gang gang, GangEntry entry, long now) {
        Line line = lines.get(gang.queue());
        Lane.Key key = entry.lane == null ? Lane.Key.of(gang, expected(gang)) : entry.lane.key;
        return line == null ? 0 : line.countBefore(key, entry, now);
    }

    /** The first gangs of a queue in its order. */
    List<GangEntry> inLine(String queue, int limit, long now) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.inOrder(limit, now);
    }

    private Line line(Lane lane) {
        Line line = lines.get(lane.key.queue());
        if (line == null) {
            throw new IllegalStateException("lane of queue " + lane.key.queue() + " stands in no line");
        }
        return line;
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

package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Verdict.Blocked;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lanes whose first gang was refused, parked at everything of which a change could unblock it.
 *
 * <p>At each of these, lanes of one shape stand together: whether nodes may hold a gang now is asked once for all of them.
 * When room comes free, a place is only <em>stirred</em>; a lane leaves it when its turn has come, so the room of one gang
 * that has ended does not move all the lanes that could use it.
 */
final class Parking {
    private final Judge judge;
    /** Reasons with which a lane wants nothing: what exists could never hold it. */
    private static final Set<Reason> WITHOUT_DEMAND = Set.of(Reason.NEVER_RUNNABLE, Reason.WAITING_FOR_CAPACITY);

    private final Map<Blocker, Map<Shape, LinkedHashSet<Lane>>> places = new HashMap<>();
    /** Those of {@link #places} that want nothing, so that they are found without a walk over the others. */
    private final Map<Blocker, LinkedHashSet<Lane>> withoutDemand = new HashMap<>();

    private final Map<Asked, Shape> shapes = new HashMap<>();
    private final TreeSet<Long> times = new TreeSet<>();
    private final LinkedHashSet<Blocker> stirred = new LinkedHashSet<>();

    private record Asked(List<PodSet> podsets, List<String> nodeClasses) {
        static Asked of(Lane lane) {
            return new Asked(lane.key.podsets(), lane.key.nodeClasses());
        }
    }

    /** What of a lane decides whether nodes may hold its gangs: lanes that ask the same have the same object. */
    static final class Shape {
        private int lanes;
        private long askedAt = -1;
        private boolean mayStart;
    }

    Parking(Judge judge) {
        this.judge = judge;
    }

    /** A new lane. */
    void enter(Lane lane) {
        lane.shape = shapes.computeIfAbsent(Asked.of(lane), asked -> new Shape());
        lane.shape.lanes++;
    }

    /** A lane that is not parked is no more. */
    void forget(Lane lane) {
        if (lane.shape != null && --lane.shape.lanes == 0) {
            shapes.remove(Asked.of(lane));
        }
    }

    /** Parks a lane at what blocks its first gang. */
    void park(Lane lane, Blocked blocked) {
        lane.blocked = blocked;
        for (Blocker blocker : blocked.blockers()) {
            places.computeIfAbsent(blocker, b -> new LinkedHashMap<>())
                    .computeIfAbsent(lane.shape(), shape -> new LinkedHashSet<>())
                    .add(lane);
            if (wantsNothing(blocked)) {
                withoutDemand
                        .computeIfAbsent(blocker, b -> new LinkedHashSet<>())
                        .add(lane);
            }
            if (blocker instanceof Blocker.Time time) {
                times.add(time.at());
            }
        }
    }

    /** Takes a lane out that is parked. */
    void leave(Lane lane, Blocked blocked) {
        lane.blocked = null;
        for (Blocker blocker : blocked.blockers()) {
            places.computeIfPresent(blocker, (b, there) -> {
                there.computeIfPresent(lane.shape(), (shape, lanes) -> {
                    lanes.remove(lane);
                    return lanes.isEmpty() ? null : lanes;
                });
                return there.isEmpty() ? null : there;
            });
            withoutDemand.computeIfPresent(blocker, (b, lanes) -> {
                lanes.remove(lane);
                return lanes.isEmpty() ? null : lanes;
            });
        }
    }

    /** Whether a lane with this answer wants nothing of its queue. */
    static boolean wantsNothing(Blocked blocked) {
        return WITHOUT_DEMAND.contains(blocked.waiting().reason());
    }

    /** The lanes that are parked at something and want nothing. */
    List<Lane> withoutDemandAt(Blocker blocker) {
        return List.copyOf(withoutDemand.getOrDefault(blocker, new LinkedHashSet<>()));
    }

    /** All lanes that are parked at something. */
    List<Lane> at(Blocker blocker) {
        List<Lane> lanes = new ArrayList<>();
        places.getOrDefault(blocker, Map.of()).values().forEach(lanes::addAll);
        return lanes;
    }

    /** What lanes are parked at has changed: those that nodes may hold now have to be looked at in turn. */
    void stir(Blocker blocker) {
        if (!stirred.contains(blocker)
                && places.getOrDefault(blocker, Map.of()).values().stream().anyMatch(this::mayStart)) {
            stirred.add(blocker);
        }
    }

    boolean isStirred() {
        return !stirred.isEmpty();
    }

    /** What was stirred since the last call. */
    Set<Blocker> takeStirred() {
        Set<Blocker> taken = Set.copyOf(stirred);
        stirred.clear();
        return taken;
    }

    private boolean mayStart(Collection<Lane> lanes) {
        return mayStart(lanes.iterator().next());
    }

    /** Whether nodes may hold the first gang of a lane now, or somebody might be stopped for it. */
    boolean mayStart(Lane lane) {
        Shape shape = lane.shape();
        if (shape.askedAt != judge.room()) {
            Gang first = lane.gangs.first().gang;
            shape.mayStart = first == null || !judge.cannotStart(first);
            shape.askedAt = judge.room();
        }
        return shape.mayStart;
    }

    /** The first time that has come; {@link Long#MAX_VALUE} when none has. */
    long takeTime(long now) {
        Long first = times.isEmpty() || times.first() > now ? null : times.pollFirst();
        return first == null ? Long.MAX_VALUE : first;
    }

    /** The next time that some lane waits for; {@link Long#MAX_VALUE} when none does. */
    long nextTime() {
        return times.isEmpty() ? Long.MAX_VALUE : times.first();
    }
}

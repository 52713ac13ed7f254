package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All waiting gangs, in lanes, in lines of one queue each.
 *
 * <p>A lane is <em>open</em> until its first gang was judged and refused; then it is parked at everything that could
 * unblock it and costs nothing until one of these changes. So the cost of a cycle follows what changed, not what waits.
 */
final class Backlog {
    private final Quotas quotas;
    private final Judge judge;
    private final Stays stays;
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final TreeMap<String, Line> lines = new TreeMap<>();
    /** Names of the queues with a lane that is open. */
    private final TreeSet<String> withOpen = new TreeSet<>();

    private final TreeMap<String, Intake> intakes = new TreeMap<>();
    private final Parking parking;

    Backlog(Quotas quotas, Judge judge, Stays stays) {
        this.quotas = quotas;
        this.judge = judge;
        parking = new Parking(judge);
        this.stays = stays;
    }

    /** Whether a gang that has become another would wait as the one before. */
    boolean alike(Gang before, Gang after) {
        return key(before).equals(key(after)) && before.maxRuntime().equals(after.maxRuntime());
    }

    private Lane.Key key(Gang gang) {
        return Lane.Key.of(gang, stays.expected(gang));
    }

    /** Who waits where, for questions. */
    WhoWaits whoWaits() {
        return new WhoWaits(lines, intakes, stays);
    }

    /** A gang that is in no lane waits from now on: in its lane, or outside when the queue does not let it take part. */
    void add(GangEntry entry, Gang gang) {
        remove(entry);
        entry.gang = gang;
        entry.waitAnew();
        GangEntry outside = intakes.computeIfAbsent(
                        gang.queue(), queue -> new Intake(quotas.path(queue), quotas.gpuResources()))
                .enter(entry, gang);
        if (!entry.equals(outside)) {
            enterLane(entry, gang);
        }
        if (outside != null) {
            leaveLane(outside);
        }
        Lane lane = entry.lane;
        if (lane != null
                && lane.blocked != null
                && lane.blocked.waiting().reason().needsSomebody()) {
            countNoMore(entry);
        }
    }

    /** A gang that cannot start before somebody changes something is in nobody's way: the next outside takes part too. */
    private void countNoMore(GangEntry entry) {
        Intake intake = intakes.get(entry.queue);
        GangEntry next = intake == null ? null : intake.leave(entry);
        Gang gang = next == null ? null : next.gang;
        if (next != null && gang != null) {
            enterLane(next, gang);
        }
    }

    /** Whether a gang waits outside of the lanes, because its queue does not let it take part. */
    boolean isOutside(GangEntry entry) {
        Intake intake = intakes.get(entry.queue);
        return intake != null && intake.isOutside(entry);
    }

    /** Takes a gang out; harmless when it is not in. The next that stands outside takes part in its stead. */
    void remove(GangEntry entry) {
        Intake intake = intakes.get(entry.queue);
        if (intake == null) {
            return;
        }
        GangEntry next = null;
        if (entry.lane == null) {
            intake.forget(entry);
        } else {
            leaveLane(entry);
            next = intake.leave(entry);
        }
        Gang gang = next == null ? null : next.gang;
        if (next != null && gang != null) {
            enterLane(next, gang);
        }
        if (intake.isEmpty() && !lines.containsKey(entry.queue)) {
            intakes.remove(entry.queue);
        }
    }

    /** Puts a gang into its lane; its podsets become those of the lane, so that equal shapes are stored once. */
    private void enterLane(GangEntry entry, Gang gang) {
        Lane lane = lanes.computeIfAbsent(key(gang), key -> {
            Lane made = new Lane(key);
            parking.enter(made);
            return made;
        });
        Line line = lines.computeIfAbsent(lane.key.queue(), queue -> new Line(queue, withOpen));
        line.add(lane);
        boolean open = lane.blocked == null;
        line.close(lane);
        entry.lane = lane;
        entry.gang = new Gang(
                gang.uid(),
                lane.key.namespace(),
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

    private void leaveLane(GangEntry entry) {
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
            parking.forget(lane);
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
        List.copyOf(intakes.keySet()).forEach(this::renewTerms);
        List.copyOf(lanes.values()).forEach(this::renewKey);
        lanes.values().forEach(lane -> {
            wantAnew(lane);
            unpark(lane);
            lane.last = null;
            line(lane).open(lane);
        });
    }

    /** Where gangs are expected to run for another time than before, they move to another lane. */
    private void renewKey(Lane lane) {
        Gang first = lane.gangs.first().gang;
        if (first == null || key(first).equals(lane.key)) {
            return;
        }
        List<GangEntry> all = new ArrayList<>();
        lane.gangs.forEach(all::add);
        for (GangEntry entry : all) {
            Gang gang = entry.gang;
            leaveLane(entry);
            if (gang != null) {
                enterLane(entry, gang);
            }
        }
    }

    /** Where a queue demands something else than before, its gangs are asked anew whether they take part. */
    private void renewTerms(String queue) {
        Intake before = intakes.get(queue);
        List<Queue> path = quotas.path(queue);
        if (before == null || before.demandsTheSameAs(path, quotas.gpuResources())) {
            return;
        }
        List<GangEntry> all = new ArrayList<>(before.outside(Integer.MAX_VALUE));
        lanes(queue).forEach(lane -> lane.gangs.forEach(all::add));
        all.sort(Comparator.naturalOrder());
        Intake after = new Intake(path, quotas.gpuResources());
        intakes.put(queue, after);
        List<GangEntry> inside = new ArrayList<>();
        List<GangEntry> outside = new ArrayList<>();
        for (GangEntry entry : all) { // the oldest first: nobody is displaced
            Gang gang = entry.gang;
            (gang == null || after.enter(entry, gang) != null ? outside : inside).add(entry);
        }
        Collections.reverse(
                outside); // a lane gives up its last gang at once, and one in the middle by moving all behind it
        outside.forEach(this::leaveLane);
        for (GangEntry entry : inside) {
            Gang gang = entry.gang;
            if (entry.lane == null && gang != null) {
                enterLane(entry, gang);
            }
        }
    }

    /** Tells quota what the gangs of a lane want; what can never run, or may not now, wants nothing. */
    private void want(Lane lane) {
        if (lane.charges == null) {
            lane.charges = charges(lane);
        }
        quotas.want(lane, lane.key.queue(), lane.charges, lane.gangs.size());
    }

    private List<Map.Entry<String, Amounts>> charges(Lane lane) {
        Gang first = lane.gangs.isEmpty() ? null : lane.gangs.first().gang;
        if (first == null || !judge.isTaken(first) || judge.never(first).isPresent()) {
            return List.of();
        }
        return judge.growingFor(first).isPresent() ? List.of() : judge.charges(first);
    }

    private static boolean wantsSomething(Lane lane) {
        return lane.charges != null && !lane.charges.isEmpty();
    }

    /** The same, found out anew. */
    private void wantAnew(Lane lane) {
        if (lane.turn != null) {
            line(lane).unlearn(lane);
            lane.turn = null;
        }
        lane.charges = null;
        want(lane);
    }

    /** The order of turns of one cycle, to be closed at its end. */
    Turns turns(long now) {
        return new Turns(this, parking, withOpen, lines, quotas, judge, now, parking.takeStirred(), null);
    }

    /** The same, in which also lanes take part that are parked in these classes and may get a rank there. */
    Turns turnsForRanks(long now, Set<String> nodeClasses, Predicate<Lane> mayReserve) {
        Set<Blocker> blockers = new HashSet<>();
        nodeClasses.forEach(nodeClass -> blockers.add(new Blocker.OfClass(nodeClass)));
        return new Turns(this, parking, withOpen, lines, quotas, judge, now, blockers, mayReserve);
    }

    /** A lane takes no turns until it is opened again; it is not parked. */
    void close(Lane lane) {
        line(lane).close(lane);
    }

    /** A lane that was closed takes turns again, unless it has been parked or is empty. */
    void reopen(Lane lane) {
        if (lane.blocked == null && lanes.get(lane.key) == lane) {
            line(lane).open(lane);
        }
    }

    /** Parks a lane at what blocks its first gang. */
    void park(Lane lane, Verdict.Blocked blocked) {
        line(lane).close(lane);
        lane.last = blocked;
        boolean runnable = !blocked.blockers().isEmpty() && !Parking.wantsNothing(blocked);
        if (runnable != wantsSomething(lane)) {
            wantAnew(lane);
        }
        parking.park(lane, blocked);
        Intake intake = intakes.get(lane.key.queue());
        if (blocked.waiting().reason().needsSomebody() && intake != null && intake.counts()) {
            List<GangEntry> stuck = new ArrayList<>();
            lane.gangs.forEach(stuck::add);
            stuck.forEach(this::countNoMore);
        }
    }

    /** Opens every lane that is parked at the blocker. */
    void wake(Blocker blocker) {
        parking.at(blocker).forEach(this::open);
    }

    /** A lane that is parked is judged anew in its turn. */
    void open(Lane lane) {
        unpark(lane);
        line(lane).open(lane);
    }

    /** A node of the class has come, or offers more: what no node could hold is judged anew, the rest where it may start. */
    void wakeForNodes(String nodeClass) {
        Blocker blocker = new Blocker.OfClass(nodeClass);
        parking.withoutDemandAt(blocker).forEach(this::open);
        parking.stir(blocker);
    }

    /** The same, but for lanes that surely still have no place; each is opened when its turn has come. */
    void wakeWhatMayStart(Blocker blocker) {
        parking.stir(blocker);
    }

    /** Opens every lane that waits for a time that has come. */
    void wakeUntil(long now) {
        for (long at = parking.takeTime(now); at < Long.MAX_VALUE; at = parking.takeTime(now)) {
            wake(new Blocker.Time(at));
        }
    }

    /** The next time that some lane waits for; {@link Long#MAX_VALUE} when none does. */
    long nextTime() {
        return parking.nextTime();
    }

    /** Whether some lane has still to be judged. */
    boolean hasOpen() {
        return !withOpen.isEmpty() || parking.isStirred();
    }

    private Collection<Lane> lanes(String queue) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.all();
    }

    private Line line(Lane lane) {
        Line line = lane.line;
        if (line == null) {
            throw new IllegalStateException("lane of queue " + lane.key.queue() + " stands in no line");
        }
        return line;
    }

    private void unpark(Lane lane) {
        Verdict.Blocked blocked = lane.blocked;
        if (blocked != null) {
            parking.leave(lane, blocked);
            if (Parking.wantsNothing(blocked)) {
                lane.last = null;
                wantAnew(lane); // what nodes could not hold before, they may hold now
            }
        }
    }
}

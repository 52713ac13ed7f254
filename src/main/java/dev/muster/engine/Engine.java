package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The live state of queues, fleet and gangs, and the decisions about it: events in, {@link #cycle}, plan out.
 *
 * <p>Design: events only record what was seen and mark what they touched. A cycle then (1) applies touched holdings to the
 * ledger and opens the lanes that this can unblock, (2) asks the life cycle of touched gangs for their next write, (3)
 * judges open lanes in turn, and charges every admission to quota and nodes before the next gang is looked at. One write
 * per object is under way at a time; its answer is an event like any other, and a refused write takes its effect on the
 * ledger back. Nothing is decided before {@link Event.Synced}. One thread owns an engine; the plan is a function of the
 * events and cycle calls so far.
 */
public final class Engine {
    /** By when half of past use is forgotten, in seconds. */
    private static final long HALF_LIFE = 86_400;

    private final EngineSettings settings;
    private final Fleet fleet = new Fleet();
    private final Quotas quotas = new Quotas(fleet::nodeSize, HALF_LIFE);
    private final Map<String, GangEntry> gangs = new HashMap<>();
    private final LearnedTimes learned = new LearnedTimes(quotas);
    private final Memories memories = new Memories(quotas, learned);
    private final Stays stays = new Stays(quotas, learned, gangs);
    private final Reservations reservations;
    private final Ledger ledger;
    private final Backlog backlog;
    private final Lifecycle lifecycle;
    private final Claims claims;
    private final Starts starts;
    private final Telling telling;
    /** Gangs whose next write has to be worked out. */
    private Set<GangEntry> touched = new LinkedHashSet<>();

    private final Alarms alarms = new Alarms();
    /** Gangs that have ended since the last cycle. */
    private final List<GangEntry> ended = new ArrayList<>();

    private final PodPlacing placing;
    private final PodNews pods;
    private final NodeWatch nodes;
    private final QueueDrains drains;
    private final Retries retries;
    private final Whereabouts whereabouts;

    private final EngineViews views;
    private Map<String, Amounts> nodeSizes = Map.of();
    private long lastCycle;
    private final Map<String, String> names = new HashMap<>();
    private boolean policyChanged;
    private boolean synced;
    private String fence = "";

    /** An engine that has seen nothing. */
    public Engine(EngineSettings settings) {
        this.settings = settings;
        placing = new PodPlacing(settings);
        retries = new Retries(settings.life());
        reservations = new Reservations(settings.reserving(), fleet, quotas, stays, gangs);
        ledger = new Ledger(fleet, quotas, reservations::moved);
        RunningGangs running = new RunningGangs(settings, gangs, ledger, quotas, fleet);
        Judge judge = new Judge(quotas, fleet, running, reservations.kept());
        backlog = new Backlog(quotas, judge, stays);
        nodes = new NodeWatch(settings.life(), fleet, backlog::wakeForNodes);
        pods = new PodNews(ledger, placing, nodes, gangs);
        drains = new QueueDrains(quotas);
        Mishaps mishaps = new Mishaps(settings.life(), nodes, drains, ledger::heldNodes);
        lifecycle = new Lifecycle(settings, stays, mishaps, new Repairs(fleet, ledger, reservations.kept()));
        claims = new Claims(quotas, ledger, gangs, this::touch);
        starts = new Starts(quotas, judge, ledger, backlog, reservations, claims);
        whereabouts = new Whereabouts(backlog, starts, claims, ledger, stays, retries);
        views = new EngineViews(
                quotas,
                fleet,
                judge,
                backlog.whoWaits(),
                reservations,
                stays,
                gangs,
                ledger,
                whereabouts,
                memories,
                nodes,
                retries,
                () -> lastCycle);
        telling = new Telling(settings.telling(), gangs, views::waiting);
    }

    /** What can be asked; to be called by the thread that owns the engine. */
    public Views views() {
        return views;
    }

    /** Records what was seen. Nothing is decided and nothing is written before the next {@link #cycle}. */
    public void apply(Event event) {
        if (event instanceof Event.GangSeen seen) {
            see(seen.gang(), seen.status());
        } else if (event instanceof Event.GangBlocked blocked) {
            see(blocked);
        } else if (event instanceof Event.GangDeleted deleted) {
            forget(deleted.uid());
        } else if (event instanceof Event.PodSeen seen) {
            touch(pods.seen(seen.pod()));
        } else if (event instanceof Event.PodDeleted deleted) {
            touch(pods.gone(deleted.uid()));
        } else if (event instanceof Event.NodeSeen seen) {
            reservations.changed(Cause.CAPACITY_LOST);
            nodes.seen(seen.node());
        } else if (event instanceof Event.NodeDeleted deleted) {
            nodes.gone(deleted.name());
            ledger.nodeGone(deleted.name()).forEach(uid -> touch(gangs.get(uid)));
            reservations.changed(Cause.CAPACITY_LOST);
        } else if (event instanceof Event.QueueSeen seen) {
            policyChanged |= !seen.queue().equals(quotas.get(seen.queue().name()));
            quotas.put(seen.queue());
        } else if (event instanceof Event.QueueDeleted deleted) {
            policyChanged = true;
            quotas.remove(deleted.name());
        } else if (event instanceof Event.QueueRemembered remembered && !synced) {
            memories.remember(remembered.queue(), remembered.memory());
        } else if (event instanceof Event.PromisesRemembered remembered && !synced) {
            reservations.remember(remembered.nodeClass(), remembered.promises());
        } else if (event instanceof Event.ClassSeen seen) {
            if (!fleet.nodeClass(seen.nodeClass().name()).equals(Optional.of(seen.nodeClass()))) {
                policyChanged = true;
                fleet.put(seen.nodeClass());
                quotas.putClass(seen.nodeClass().name(), seen.nodeClass().resource());
            }
        } else if (event instanceof Event.ClassDeleted deleted) {
            policyChanged = true;
            fleet.removeClass(deleted.name());
            quotas.removeClass(deleted.name());
        } else if (event instanceof Event.Synced now) {
            synced = true;
            fence = now.fence();
            memories.startOver();
            whereabouts.outOfLane().forEach(this::touch);
        } else if (event instanceof Event.Unsynced) {
            synced = false;
        } else if (event instanceof Event.WriteDone done) {
            written(done);
        } else if (event instanceof Event.WriteRefused refused) {
            refused(refused);
        }
    }

    /**
     * Decides what is due now.
     *
     * @param now milliseconds since the epoch; never earlier than in the call before
     * @param budget how many gangs to judge at most, at least 1
     */
    public Plan cycle(long now, int budget) {
        lastCycle = now;
        quotas.at(now);
        ended.forEach(entry -> learned.ended(entry.gang, entry.status.admission(), now));
        ended.clear();
        Map<String, Amounts> sizes = new HashMap<>();
        fleet.classes().forEach(nodeClass -> sizes.put(nodeClass.name(), fleet.nodeSize(nodeClass.name())));
        if (policyChanged || !sizes.equals(nodeSizes)) {
            policyChanged = false;
            drains.follow(now);
            nodeSizes = sizes; // by which members are charged
            reservations.changed(Cause.POLICY);
            backlog.startOver();
            ledger.placed().forEach(uid -> touch(gangs.get(uid))); // bounds may have changed
            whereabouts.aside().forEach(this::touch);
        }
        ledger.endGraces(now).forEach(uid -> touch(gangs.get(uid)));
        Set<String> changedNodes = nodes.due(now);
        if (!changedNodes.isEmpty()) {
            reservations.changed(Cause.CAPACITY_LOST);
            ledger.on(changedNodes).forEach(uid -> touch(gangs.get(uid)));
        }
        starts.settle();
        if (!synced) {
            follow(now);
            return new Plan(List.of(), false, Long.MAX_VALUE);
        }
        alarms.due(now).forEach(uid -> touch(gangs.get(uid)));
        backlog.wakeUntil(now);
        List<Action> actions = new ArrayList<>();
        goOn(now, actions);
        starts.settle();
        starts.start(now, budget, actions);
        goOn(now, actions);
        telling.tell(now, actions);
        return new Plan(actions, starts.hasMore(), wakeAt());
    }

    /** Puts what was seen where it belongs, so that a take-over finds lanes and ledger ready; nothing is written. */
    private void follow(long now) {
        for (GangEntry entry : takeTouched()) {
            if (gangs.get(entry.uid) == entry && entry.isSettled()) {
                place(entry, now);
            }
        }
        telling.follow(now);
        starts.settle();
    }

    /** Puts a gang where it belongs; one that waits is told why in time. */
    private void place(GangEntry entry, long now) {
        long rests = entry.status.admission() == null ? retries.restsUntil(entry) : 0;
        if (rests > now) {
            alarms.set(rests, entry.uid);
        }
        whereabouts.place(entry, now < Math.max(rests, entry.restsUntil));
        if (entry.state() == GangState.WAITING) {
            telling.waits(entry, now);
        }
    }

    private void goOn(long now, List<Action> actions) {
        takeTouched().forEach(entry -> live(entry, now, actions));
    }

    private List<GangEntry> takeTouched() {
        List<GangEntry> taken = touched.stream().sorted().toList();
        touched = new LinkedHashSet<>(); // emptying one that was large once would cost its size each time
        return taken;
    }

    private long wakeAt() {
        return Math.min(
                Math.min(Math.min(alarms.next(), telling.wakeAt()), Math.min(ledger.graceEnds(), nodes.nextAt())),
                Math.min(backlog.nextTime(), starts.wakeAt()));
    }

    /** Step 2: the next write of a touched gang, its place among the waiting, and its holding in the ledger. */
    private void live(GangEntry entry, long now, List<Action> actions) {
        if (!entry.isSettled() || gangs.get(entry.uid) != entry) {
            return;
        }
        entry.noteStop(now);
        place(entry, now);
        if (now < entry.restsUntil) {
            alarms.set(entry.restsUntil, entry.uid);
            return;
        }
        if (entry.unsure != null) {
            entry.pending =
                    entry.unsure; // the same write again: done, it was not stored before; stale, it may have been
            actions.add(entry.pending);
            return;
        }
        var members = ledger.pods(entry.uid).values();
        boolean mustWait = !entry.doomedFor.isEmpty() && !claims.isWritten(entry.doomedFor);
        long grace = quotas.preemption(entry.queue).grace();
        Action next = mustWait ? null : lifecycle.next(entry, members, now, grace);
        if (next != null) {
            entry.pending = next;
            actions.add(next);
        } else if (lifecycle.wakeAt(entry) > now && lifecycle.wakeAt(entry) < Long.MAX_VALUE) {
            alarms.set(lifecycle.wakeAt(entry), entry.uid);
        }
        Admission admission = entry.status.admission();
        if (admission != null) {
            lifecycle.unplaced(entry, members).forEach(pod -> placing.place(entry, pod, admission, now, actions));
            lifecycle.untold(entry, members).forEach(pod -> placing.tell(entry, pod, now, actions));
        }
    }

    private void see(Gang gang, GangStatus status) {
        GangEntry entry = entry(gang.uid(), gang.namespace(), gang.name(), gang.queue(), gang.submittedAt(), status);
        if (entry == null) {
            return;
        }
        Gang before = entry.gang;
        entry.blocked = null;
        boolean alike = before == null || (entry.lane == null ? before.equals(gang) : backlog.alike(before, gang));
        if (!alike) {
            backlog.remove(entry);
        }
        if (entry.lane == null) {
            entry.gang = gang;
        }
        touch(entry);
    }

    private void see(Event.GangBlocked seen) {
        GangEntry entry =
                entry(seen.uid(), seen.namespace(), seen.name(), seen.queue(), seen.submittedAt(), seen.status());
        if (entry != null) {
            backlog.remove(entry);
            if (seen.status().admission() == null) {
                entry.gang = null; // one with an admission keeps what it asked when it was admitted
            }
            entry.blocked = seen.waiting();
            touch(entry);
        }
    }

    /** The entry of a job with its new status; null when this sight is older than our own last write. */
    private @Nullable GangEntry entry(
            String uid, String namespace, String name, String queue, long submittedAt, GangStatus status) {
        GangEntry entry = gangs.get(uid);
        if (entry != null && entry.queue.equals(queue)) {
            if (Versions.isOlder(status.resourceVersion(), entry.awaited)
                    || Versions.isOlder(status.resourceVersion(), entry.status.resourceVersion())) {
                return null;
            }
            entry.awaited = "";
            entry.judgeFence(entry.status.admission(), status, synced ? fence : null);
            if (status.end() != End.NOT_YET
                    && status.end() != End.LEAVING
                    && entry.status.end() == End.NOT_YET
                    && entry.status.admission() != null) {
                ended.add(entry);
            }
            entry.become(status);
        } else {
            Action inFlight = entry == null ? null : entry.pending;
            if (entry != null) {
                forget(uid); // it has changed its queue; what was written for the old one is still to be answered
            }
            entry = new GangEntry(uid, shared(namespace), name, shared(queue), submittedAt, status);
            entry.pending = inFlight;
            if (inFlight instanceof Action.Admit admit) {
                ledger.admit(entry.holder(), admit.admission(), Map.of(), false, null);
            }
            gangs.put(uid, entry);
            entry.judgeFence(null, status, synced ? fence : null);
        }
        entry.takenUp = status.admission() != null && (status.resumed() == Acknowledged.YES || entry.takenUp);
        if (!status.suspended()) {
            entry.stoppingSince = 0;
        }
        return entry;
    }

    private void forget(String uid) {
        GangEntry entry = gangs.remove(uid);
        if (entry != null) {
            if (entry.lane != null) {
                starts.demandFell(entry.queue);
            }
            backlog.remove(entry);
            claims.letGo(entry);
            touched.remove(entry);
            whereabouts.forget(entry);
            ledger.dismiss(uid);
        }
    }

    private void written(Event.WriteDone done) {
        GangEntry entry = gangs.get(done.uid());
        if (entry != null) {
            entry.stored(done.resourceVersion());
            touch(entry);
        }
    }

    /** The same text, kept once: there are few namespaces and queues, and many gangs. */
    private String shared(String name) {
        return names.computeIfAbsent(name, same -> same);
    }

    private void refused(Event.WriteRefused refused) {
        if (refused.refusal() == Event.Refusal.REPLACED) {
            synced = false;
        }
        placing.refused(refused).ifPresent(again -> alarms.set(again.at(), again.gangUid()));
        GangEntry entry = gangs.get(refused.uid());
        if (entry == null || entry.pending == null) {
            return;
        }
        boolean onlyTold = entry.pending instanceof Action.Explain;
        if (!entry.refused(refused, settings) && !onlyTold && entry.status.admission() == null) {
            claims.letGo(entry);
            ledger.dismiss(entry.uid);
        }
        touch(entry);
    }

    private void touch(@Nullable GangEntry entry) {
        if (entry != null) {
            touched.add(entry);
        }
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.Reason;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a cycle that starts gangs: those whose claims have come free, then open lanes in turn.
 *
 * <p>Every start, and every claim with the stops that it needs, is entered into the ledger before the next gang is looked
 * at. A claim is written on its job first; its victims are told only when that was seen.
 */
final class Starts {
    /** Reasons that pass by themselves as others leave. */
    private static final Set<Reason> RESERVABLE = Set.of(
            Reason.QUOTA_EXHAUSTED,
            Reason.UNBACKED,
            Reason.NO_NODE_FITS,
            Reason.FRAGMENTED,
            Reason.TOPOLOGY_TOO_SMALL,
            Reason.RESERVED_FOR_OTHERS);

    private final Quotas quotas;
    private final Judge judge;
    private final Ledger ledger;
    private final Backlog backlog;
    private final Reservations reservations;
    private final Claims claims;
    /** Lanes whose first gang has a write under way that says nothing about its start; looked at again in each cycle. */
    private final Set<Lane> unsettled = new LinkedHashSet<>();

    /** Node classes in which a rank may have come free for somebody who waits. */
    private final Set<String> openRanks = new TreeSet<>();

    private boolean freed;
    /** Whether something has changed that may let a gang with a reservation start. */
    private boolean holdersDue;
    /** When time alone may let one of them start. */
    private long holdersAt = Long.MAX_VALUE;

    Starts(Quotas quotas, Judge judge, Ledger ledger, Backlog backlog, Reservations reservations, Claims claims) {
        this.quotas = quotas;
        this.judge = judge;
        this.ledger = ledger;
        this.backlog = backlog;
        this.reservations = reservations;
        this.claims = claims;
    }

    /** Applies what has changed in the ledger, and opens the lanes that this can unblock. */
    void settle() {
        announce(ledger.settle());
    }

    private void announce(Ledger.Freed now) {
        freed |= !now.isNothing();
        holdersDue |= !now.isNothing();
        now.taken().forEach(nodeClass -> backlog.wake(new Blocker.OfTaken(nodeClass)));
        now.nodeClasses().forEach(nodeClass -> backlog.wakeWhatMayStart(new Blocker.OfClass(nodeClass)));
        now.queues().stream()
                .map(judge::root)
                .distinct()
                .forEach(root -> backlog.wakeWhatMayStart(new Blocker.OfTree(root)));
    }

    /** A claim was seen on a waiting job: it is kept, and its victims have to go. */
    void keep(GangEntry entry, Gang gang, Claim claim) {
        ledger.claim(gang, claim);
        freed |= claims.keep(entry, claim) || entry.refusals > 0;
    }

    /** Starts all that can start now, judging at most {@code budget} gangs. */
    void start(long now, int budget, List<Action> actions) {
        reservations.restore(now, judge).forEach(backlog::reserve);
        plan(now);
        startClaimants(now, actions);
        startHolders(now, actions);
        unsettled.forEach(backlog::reopen);
        unsettled.clear();
        int left = budget - fillRanks(now, budget, actions);
        try (Turns turns = backlog.turns(now)) {
            while (left > 0 && judgeNext(turns, now, actions)) {
                left--;
            }
        }
    }

    /**
     * Ranks that nobody holds go to the first gangs in turn that may have one, and who comes before them starts if it can.
     * Nobody is judged once all are given. Returns how many gangs were judged.
     */
    private int fillRanks(long now, int budget, List<Action> actions) {
        int judged = 0;
        openRanks.removeIf(nodeClass -> !reservations.hasRank(nodeClass));
        if (openRanks.isEmpty()) {
            return judged;
        }
        try (Turns turns = backlog.turnsForRanks(now, openRanks, this::mayReserve)) {
            while (judged < budget && openRanks.stream().anyMatch(reservations::hasRank)) {
                if (!judgeNext(turns, now, actions)) {
                    openRanks.clear();
                    break;
                }
                judged++;
            }
        }
        return judged;
    }

    /** Whether gangs wait that have still to be judged. */
    boolean hasMore() {
        return backlog.hasOpen() || !openRanks.isEmpty();
    }

    /** Judges the gang whose turn it is; false when there is none. */
    private boolean judgeNext(Turns turns, long now, List<Action> actions) {
        Lane lane = turns.next();
        if (lane == null) {
            return false;
        }
        GangEntry first = lane.head();
        Verdict.Blocked last = lane.last;
        if (!first.isSettled()) {
            backlog.close(lane);
            unsettled.add(lane);
        } else if (last != null && !mayReserve(lane) && judge.cannotStart(gang(first))) {
            backlog.park(lane, last.withoutTimes());
        } else {
            Verdict verdict = judge.judge(gang(first), now, first.waitsSince);
            if (verdict instanceof Verdict.Fits fits) {
                actions.add(admit(first, fits, now));
            } else if (verdict instanceof Verdict.Preempts preempts) {
                claim(first, preempts, now, actions);
            } else if (verdict instanceof Verdict.Blocked blocked) {
                reserveOrPark(lane, first, blocked);
            }
        }
        turns.again(lane.key.queue());
        return true;
    }

    /** Whether the first gang of a lane may get a rank, by why it was refused last. */
    private boolean mayReserve(Lane lane) {
        return lane.last != null && mayReserve(lane, lane.last);
    }

    /** Brings the reservations up to date, and opens what that can unblock. */
    private void plan(long now) {
        freed |= reservations.isStirred();
        holdersDue |= reservations.isStirred() || now >= holdersAt;
        for (String nodeClass : reservations.review(now, judge)) {
            backlog.wakeWhatMayStart(new Blocker.OfReservations(nodeClass));
            openRanks.add(nodeClass);
            holdersDue = true;
        }
        reservations.takeLosers().forEach(loser -> backlog.reserve(loser, ""));
        Map<GangEntry, String> givingWay = reservations.due();
        givingWay.forEach(this::giveWay);
        if (!givingWay.isEmpty()) {
            settle();
        }
    }

    /** A marked gang is told to stop for the holder of a reservation. */
    private void giveWay(GangEntry marked, String holder) {
        Admission admission = marked.admission();
        if (admission != null && !marked.isStopping()) {
            claims.doom(marked, holder, admission);
        }
    }

    /** Gangs with a reservation go before all others, in rank order. */
    private void startHolders(long now, List<Action> actions) {
        boolean due = holdersDue;
        holdersDue = false;
        holdersAt = due ? Long.MAX_VALUE : holdersAt;
        boolean skipped = false;
        for (GangEntry entry : due ? reservations.holders() : List.<GangEntry>of()) {
            if (entry.lane == null || !entry.isSettled()) {
                skipped |= entry.lane != null;
                continue;
            }
            if (judge.cannotStart(gang(entry))) {
                continue;
            }
            Verdict verdict = judge.judge(gang(entry), now, entry.waitsSince);
            if (verdict instanceof Verdict.Fits fits) {
                actions.add(admit(entry, fits, now));
            } else if (verdict instanceof Verdict.Preempts preempts) {
                claim(entry, preempts, now, actions);
            } else if (verdict instanceof Verdict.Blocked blocked && passesByItself(blocked)) {
                lookAgainAt(blocked);
                continue;
            } else {
                giveUpRank(entry);
                backlog.reserve(entry, "");
            }
            plan(now);
        }
        holdersDue = skipped; // to be looked at when its write is answered
    }

    private void lookAgainAt(Verdict.Blocked blocked) {
        for (Blocker blocker : blocked.blockers()) {
            holdersAt = blocker instanceof Blocker.Time time ? Math.min(holdersAt, time.at()) : holdersAt;
        }
    }

    /** A gang that only waits for room or quota takes a rank while there is one; the next of its lane is looked at then. */
    private void reserveOrPark(Lane lane, GangEntry first, Verdict.Blocked blocked) {
        boolean mayReserve = mayReserve(lane, blocked);
        String nodeClass = mayReserve ? reservations.offer(gang(first), judge) : "";
        if (nodeClass.isEmpty()) {
            if (mayReserve) {
                reservations.refused(lane);
            }
            backlog.park(lane, blocked);
        } else {
            reservations.takeLosers().forEach(loser -> backlog.reserve(loser, ""));
            lane.last = blocked;
            backlog.reserve(first, nodeClass);
            lookAgainAt(blocked);
        }
    }

    private static boolean passesByItself(Verdict.Blocked blocked) {
        Reason reason = blocked.waiting().reason();
        return RESERVABLE.contains(reason) || reason == Reason.WAITING_FOR_VICTIMS || reason == Reason.KEPT_FOR_SERVING;
    }

    private boolean mayReserve(Lane lane, Verdict.Blocked blocked) {
        return reservations.mayGive(lane)
                && RESERVABLE.contains(blocked.waiting().reason());
    }

    /** The next time at which a claim has lasted too long, or a plan changes; {@link Long#MAX_VALUE} when there is none. */
    long wakeAt() {
        long overdue = claims.overdue();
        return Math.min(Math.min(overdue, holdersAt), reservations.wakeAt());
    }

    private void startClaimants(long now, List<Action> actions) {
        boolean somethingChanged = freed;
        freed = false;
        for (GangEntry entry : claims.holders()) {
            Claim claim = entry.claim();
            if (claim == null || now < entry.restsUntil) {
                continue;
            }
            if (!entry.isSettled()) {
                freed |= somethingChanged; // to be looked at when its write is answered
                continue;
            }
            if (somethingChanged) {
                settle();
                ledger.dismiss(entry.uid);
                Ledger.Freed ofClaim = ledger.settle();
                if (judge.judge(gang(entry), now, entry.waitsSince) instanceof Verdict.Fits fits) {
                    claims.letGo(entry);
                    actions.add(admit(entry, fits, now));
                    announce(ofClaim);
                    continue;
                }
                ledger.claim(gang(entry), claim);
                ledger.settle();
            }
            if (now >= claims.overdueAt(entry)) {
                claims.letGo(entry);
                entry.pending = new Action.DropClaim(entry.target());
                actions.add(entry.pending);
            }
        }
    }

    private Action admit(GangEntry entry, Verdict.Fits fits, long now) {
        Admission admission = admission(entry, fits, now);
        Action.Admit admit = new Action.Admit(
                entry.target(),
                admission,
                "Admitted to queue " + entry.queue + ", node class " + fits.nodeClass() + ".",
                quotas.purpose(entry.queue),
                Math.max(0, now - entry.waitsSince));
        Gang gang = gang(entry);
        entry.pending = admit;
        giveUpRank(entry);
        backlog.remove(entry);
        ledger.admit(gang, admission, Map.of(), false, null);
        settle();
        return admit;
    }

    private void giveUpRank(GangEntry entry) {
        String nodeClass = reservations.drop(entry);
        if (!nodeClass.isEmpty()) {
            backlog.wakeWhatMayStart(new Blocker.OfReservations(nodeClass));
            openRanks.add(nodeClass);
        }
    }

    private static Admission admission(GangEntry entry, Verdict.Fits fits, long now) {
        return new Admission(
                Admission.VERSION, entry.status.marks().past().attempts() + 1, now, fits.podsets(), fits.yieldsTo());
    }

    /** The whole place is kept, and the victims count as going, before anybody is told. */
    private void claim(GangEntry entry, Verdict.Preempts preempts, long now, List<Action> actions) {
        Gang gang = gang(entry);
        Map<String, Admission> moves = new HashMap<>();
        preempts.moves().forEach((uid, to) -> moves.put(uid, claims.movedTo(uid, to, now)));
        Claim wanted = new Claim(admission(entry, preempts.claim(), now), preempts.victims(), moves);
        Claim claim = claims.make(entry, wanted, actions);
        giveUpRank(entry);
        backlog.remove(entry);
        ledger.claim(gang, claim);
        settle();
    }

    /** A waiting gang is gone without a start: what others are due may have risen. */
    void demandFell(String queue) {
        if (quotas.hasInterruptible()) {
            backlog.wake(new Blocker.OfTree(judge.root(queue)));
        }
    }

    private static Gang gang(GangEntry entry) {
        Gang gang = entry.gang;
        if (gang == null) {
            throw new IllegalStateException("gang " + entry.uid + " is to be decided about, but cannot be read");
        }
        return gang;
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Judge;
import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The part of a cycle that starts gangs: those whose claims have come free, then open lanes in turn.
 *
 * <p>Every start, and every claim with the stops that it needs, is entered into the ledger before the next gang is looked
 * at. A claim is written on its job first; its victims are told only when that was seen.
 */
final class Starts {
    /** How long beyond its grace a victim may take before the claim is planned anew, in milliseconds. */
    private static final long OVERRUN = 120_000;

    private final Quotas quotas;
    private final Judge judge;
    private final Ledger ledger;
    private final Backlog backlog;
    private final Map<String, GangEntry> gangs;
    private final Consumer<GangEntry> touch;
    /** Gangs with a claim, by UID. */
    private final Map<String, GangEntry> claimants = new TreeMap<>();

    private boolean freed;

    Starts(
            Quotas quotas,
            Judge judge,
            Ledger ledger,
            Backlog backlog,
            Map<String, GangEntry> gangs,
            Consumer<GangEntry> touch) {
        this.quotas = quotas;
        this.judge = judge;
        this.ledger = ledger;
        this.backlog = backlog;
        this.gangs = gangs;
        this.touch = touch;
    }

    /** Applies what has changed in the ledger, and opens the lanes that this can unblock. */
    void settle() {
        Ledger.Freed now = ledger.settle();
        freed |= !now.isNothing();
        now.nodeClasses().forEach(nodeClass -> backlog.wake(new Blocker.OfClass(nodeClass)));
        now.queues().stream().map(judge::root).distinct().forEach(root -> backlog.wake(new Blocker.OfTree(root)));
    }

    /** A claim was seen on a waiting job: it is kept, and its victims have to go. */
    void keep(GangEntry entry, Gang gang, Claim claim) {
        ledger.claim(gang, claim);
        if (claimants.put(entry.uid, entry) == null) {
            freed = true;
        }
        for (String uid : claim.victims()) {
            GangEntry victim = gangs.get(uid);
            Admission admission = victim == null ? null : victim.admission();
            if (victim != null
                    && admission != null
                    && admission.admittedAt() < claim.place().admittedAt()
                    && (victim.doomedFor.isEmpty() || victim.doomedFor.equals(entry.uid))) {
                victim.doomedFor = entry.uid;
                touch.accept(victim);
            }
        }
    }

    /** A claim has ended: victims that were not told yet stay. */
    void letGo(GangEntry entry) {
        if (claimants.remove(entry.uid) == null && !(entry.pending instanceof Action.MakeClaim)) {
            return;
        }
        for (GangEntry victim : gangs.values()) {
            if (victim.doomedFor.equals(entry.uid)
                    && victim.status.marks().stopAt().isEmpty()
                    && victim.pending == null) {
                victim.doomedFor = "";
                touch.accept(victim);
            }
        }
    }

    /** Whether the claim of this gang stands on its job, so that its victims may be told. */
    boolean isClaimWritten(String uid) {
        GangEntry claimant = gangs.get(uid);
        return claimant == null || claimant.pending == null || !(claimant.pending instanceof Action.MakeClaim);
    }

    /** Starts all that can start now, judging at most {@code budget} gangs. */
    void start(long now, int budget, List<Action> actions) {
        startClaimants(now, actions);
        try (Backlog.Turns turns = backlog.new Turns(now)) {
            for (int judged = 0; judged < budget; judged++) {
                Lane lane = turns.next();
                if (lane == null) {
                    return;
                }
                GangEntry first = lane.gangs.first();
                Verdict verdict = judge.judge(gang(first), now, first.submittedAt);
                if (verdict instanceof Verdict.Fits fits) {
                    actions.add(admit(first, fits, now));
                } else if (verdict instanceof Verdict.Preempts preempts) {
                    claim(first, preempts, now, actions);
                } else if (verdict instanceof Verdict.Blocked blocked) {
                    backlog.park(lane, blocked);
                }
                turns.again(lane.key.queue());
            }
        }
    }

    /** The next time at which a claim has lasted too long; {@link Long#MAX_VALUE} when there is none. */
    long wakeAt() {
        return claimants.values().stream().mapToLong(this::overdueAt).min().orElse(Long.MAX_VALUE);
    }

    private void startClaimants(long now, List<Action> actions) {
        boolean somethingChanged = freed;
        freed = false;
        for (GangEntry entry : List.copyOf(claimants.values())) {
            Claim claim = entry.claim();
            if (claim == null || !entry.isSettled()) {
                continue;
            }
            if (somethingChanged) {
                ledger.dismiss(entry.uid);
                ledger.settle();
                if (judge.judge(gang(entry), now, entry.submittedAt) instanceof Verdict.Fits fits) {
                    claimants.remove(entry.uid);
                    actions.add(admit(entry, fits, now));
                    continue;
                }
                ledger.claim(gang(entry), claim);
                ledger.settle();
            }
            if (now >= overdueAt(entry)) {
                letGo(entry);
                entry.pending = new Action.DropClaim(entry.target());
                actions.add(entry.pending);
            }
        }
    }

    private long overdueAt(GangEntry entry) {
        Claim claim = entry.claim();
        return claim == null ? Long.MAX_VALUE : claim.place().admittedAt() + grace(entry.queue) + OVERRUN;
    }

    /** How long gangs of a queue have to stop, in milliseconds. */
    long grace(String queue) {
        Queue of = quotas.get(queue);
        return (of == null ? Queue.Preemption.DEFAULT : of.preemption()).grace();
    }

    private Action admit(GangEntry entry, Verdict.Fits fits, long now) {
        Admission admission = admission(entry, fits, now);
        Action.Admit admit = new Action.Admit(
                entry.target(),
                admission,
                "Admitted to queue " + entry.queue + ", node class " + fits.nodeClass() + ".");
        Gang gang = gang(entry);
        entry.pending = admit;
        backlog.remove(entry);
        ledger.admit(gang, admission, Map.of(), false);
        ledger.settle();
        return admit;
    }

    private static Admission admission(GangEntry entry, Verdict.Fits fits, long now) {
        return new Admission(Admission.VERSION, entry.status.marks().evictions() + 1, now, fits.podsets());
    }

    /** The whole place is kept, and the victims count as going, before anybody is told. */
    private void claim(GangEntry entry, Verdict.Preempts preempts, long now, List<Action> actions) {
        Gang gang = gang(entry);
        List<String> victims = new ArrayList<>();
        for (String uid : preempts.victims()) {
            GangEntry victim = gangs.get(uid);
            if (victim == null) {
                continue;
            }
            if (victim.claim() != null) {
                letGo(victim);
                ledger.dismiss(uid);
                victim.pending = new Action.DropClaim(victim.target());
                actions.add(victim.pending);
                continue;
            }
            victims.add(uid);
            victim.doomedFor = entry.uid;
            touch.accept(victim);
            Admission admission = victim.admission();
            if (admission != null) {
                ledger.admit(gang(victim), admission, victim.status.remaining(), true);
            }
        }
        Claim claim = new Claim(admission(entry, preempts.claim(), now), victims);
        entry.pending = new Action.MakeClaim(entry.target(), claim);
        actions.add(entry.pending);
        backlog.remove(entry);
        claimants.put(entry.uid, entry);
        ledger.claim(gang, claim);
        ledger.settle();
    }

    private static Gang gang(GangEntry entry) {
        Gang gang = entry.gang;
        if (gang == null) {
            throw new IllegalStateException("gang " + entry.uid + " is to be decided about, but cannot be read");
        }
        return gang;
    }
}

package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Verdict;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Claims of preemptors, and the gangs that have to go for them.
 *
 * <p>A claim is written on its job first; its victims are told only when that was seen. When a claim ends, victims that were
 * not told yet stay. A claim of a gang that is itself preempted passes its victims on.
 */
final class Claims {
    /** How long beyond its grace a victim may take before the claim is planned anew, in milliseconds. */
    private static final long PATIENCE = 120_000;

    private final Quotas quotas;
    private final Ledger ledger;
    private final Map<String, GangEntry> gangs;
    private final Consumer<GangEntry> touch;
    private final Map<String, Held> held = new TreeMap<>();

    private record Held(GangEntry holder, Set<GangEntry> victims) {}

    Claims(Quotas quotas, Ledger ledger, Map<String, GangEntry> gangs, Consumer<GangEntry> touch) {
        this.quotas = quotas;
        this.ledger = ledger;
        this.gangs = gangs;
        this.touch = touch;
    }

    /** Gangs with a claim, by UID. */
    List<GangEntry> holders() {
        return held.values().stream().map(Held::holder).toList();
    }

    /** A claim was seen on a waiting job: its victims have to go. Returns whether it is new. */
    boolean keep(GangEntry entry, Claim claim) {
        boolean isNew = !held.containsKey(entry.uid);
        Set<GangEntry> victims = new LinkedHashSet<>();
        for (String uid : claim.victims()) {
            GangEntry victim = gangs.get(uid);
            Admission admission = victim == null ? null : victim.admission();
            if (victim != null
                    && admission != null
                    && admission.admittedAt() < claim.place().admittedAt()
                    && (victim.doomedFor.isEmpty() || victim.doomedFor.equals(entry.uid))) {
                Admission to = claim.moves().get(uid);
                victim.movesWhenTold = to == null ? victim.movesWhenTold : to;
                victims.add(victim);
                doom(victim, entry.uid, admission);
            }
        }
        held.put(entry.uid, new Held(entry, victims));
        return isNew;
    }

    /** The claim of a gang has ended, if it had one: victims that were not told yet stay. */
    void letGo(GangEntry entry) {
        Held ended = held.remove(entry.uid);
        for (GangEntry victim : ended == null ? Set.<GangEntry>of() : ended.victims) {
            if (victim.doomedFor.equals(entry.uid)
                    && victim.status.marks().stopAt().isEmpty()
                    && !(victim.pending instanceof Action.Notice || victim.pending instanceof Action.Stop)) {
                victim.spare();
                touch.accept(victim);
                Admission admission = victim.admission();
                if (admission != null) {
                    ledger.admit(
                            victim.holder(),
                            admission,
                            victim.status.remaining(),
                            victim.isStopping(),
                            victim.movesTo());
                }
            }
        }
    }

    /** Whether the claim of this gang stands on its job, so that its victims may be told. */
    boolean isWritten(String uid) {
        GangEntry holder = gangs.get(uid);
        return holder == null || !(holder.pending instanceof Action.MakeClaim);
    }

    /** The place that a gang will have once it has moved; in the order of cover it counts as admitted when it was. */
    Admission movedTo(String uid, Verdict.Fits to, long now) {
        GangEntry victim = gangs.get(uid);
        Admission from = victim == null ? null : victim.admission();
        int attempt = from == null ? 1 : from.attempt() + 1;
        return new Admission(
                Admission.VERSION, attempt, from == null ? now : from.admittedAt(), to.podsets(), List.of());
    }

    /** The whole place is kept, and the victims count as going, before anybody is told. Adds the writes. */
    Claim make(GangEntry entry, Claim wanted, List<Action> actions) {
        Set<GangEntry> going = new LinkedHashSet<>();
        for (String uid : wanted.victims()) {
            GangEntry victim = gangs.get(uid);
            Admission admission = victim == null ? null : victim.admission();
            if (victim != null && victim.claim() != null) {
                takeOver(victim, entry, going);
                victim.pending = new Action.DropClaim(victim.target());
                actions.add(victim.pending);
            } else if (victim != null) {
                going.add(victim);
                if (admission != null) {
                    victim.movesWhenTold = wanted.moves().get(uid);
                    doom(victim, entry.uid, admission);
                }
            }
        }
        List<String> uids = new ArrayList<>();
        going.forEach(victim -> uids.add(victim.uid));
        Claim claim = new Claim(wanted.place(), uids, wanted.moves());
        entry.pending = new Action.MakeClaim(entry.target(), claim);
        actions.add(entry.pending);
        held.put(entry.uid, new Held(entry, going));
        return claim;
    }

    private void takeOver(GangEntry holder, GangEntry by, Set<GangEntry> going) {
        Held theirs = held.get(holder.uid);
        for (GangEntry victim : theirs == null ? Set.<GangEntry>of() : theirs.victims) {
            boolean goesOn = victim.movesWhenTold == null || victim.pending != null;
            if (victim.doomedFor.equals(holder.uid) && goesOn) { // who would only move, and was not told, stays
                victim.doomedFor = by.uid;
                going.add(victim);
                touch.accept(victim);
            }
        }
        letGo(holder);
        ledger.dismiss(holder.uid);
    }

    /** A gang has to go for another, which has claimed or reserved its place. */
    void doom(GangEntry victim, String by, Admission admission) {
        Gang gang = victim.holder();
        victim.doomedFor = by;
        touch.accept(victim);
        ledger.admit(gang, admission, victim.status.remaining(), true, victim.movesTo());
    }

    /** When the first claim will have lasted too long; {@link Long#MAX_VALUE} when there is none. */
    long overdue() {
        return held.values().stream()
                .map(Held::holder)
                .filter(GangEntry::isSettled)
                .mapToLong(entry -> Math.max(overdueAt(entry), entry.restsUntil))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** When the claim of a gang will have lasted too long; {@link Long#MAX_VALUE} when it has none. */
    long overdueAt(GangEntry entry) {
        Claim claim = entry.claim();
        if (claim == null) {
            return Long.MAX_VALUE;
        }
        long last =
                Math.max(claim.place().admittedAt(), entry.status.marks().past().lastEviction());
        for (String uid : claim.victims()) {
            GangEntry victim = gangs.get(uid);
            if (victim != null) {
                long told = claim.place().admittedAt()
                        + quotas.preemption(victim.queue).grace();
                last = Math.max(last, victim.status.marks().stopAt().orElse(told));
            }
        }
        return last + PATIENCE;
    }
}

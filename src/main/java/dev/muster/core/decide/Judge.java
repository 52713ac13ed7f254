package dev.muster.core.decide;

import dev.muster.core.decide.Verdict.Blocked;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.decide.Verdict.Fits;
import dev.muster.core.decide.Verdict.Preempts;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Growth;
import dev.muster.core.fleet.Outlook;
import dev.muster.core.fleet.Placer;
import dev.muster.core.fleet.View;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Waiting;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.Refusal;
import dev.muster.core.share.Stake;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides about one gang: may it start now, and where? If not, whom may it preempt? Nothing is charged or booked here; who
 * asked does that before the next gang is judged.
 *
 * <p>Steps: (1) its queue must be part of the tree, take its namespace and not be stopped; (2) its classes are the
 * {@link Candidates}; (3) in that order, the first class in which both ledgers let it in and all members have a place wins;
 * (4) else, in that order, the first class in which it already fits what is committed: it waits for what is stopping; (5)
 * else, in that order, the first class in which moving others, or stopping legal victims, lets it in, place included. The reason is that of
 * the class that came closest: room reserved for others outranks a missing place, which outranks missing quota, which
 * outranks nodes that do not exist yet, which outrank what no waiting can cure.
 */
public final class Judge {
    /** How long a gang waits before it may preempt for surplus, in milliseconds. */
    public static final long SHARE_WAIT = 600_000;

    /** The distance of a class in which it would not help to stop anybody: nodes must come, or firm work end. */
    private static final int UNHELPED = 3;
    /** The distance of a class in which nothing would help. */
    private static final int NEVER = 4;

    private final Quotas quotas;
    private final Fleet fleet;
    private final Committed committed;
    private final Reserved reserved;
    private final Sentences sentences;
    private final Preemption preemption;
    private final Relocation relocation;

    /** Judges by the given state, which its owner keeps current. */
    public Judge(Quotas quotas, Fleet fleet, Committed committed, Reserved reserved) {
        this.quotas = quotas;
        this.fleet = fleet;
        this.committed = committed;
        this.reserved = reserved;
        this.sentences = new Sentences(fleet, quotas);
        this.preemption = new Preemption(quotas, fleet, committed, reserved, sentences);
        this.relocation = new Relocation(quotas, fleet, committed, reserved, sentences);
    }

    /** How a gang fares in one class. The smaller the distance, the closer it came. */
    private sealed interface Attempt {
        record Success(Fits fits) implements Attempt {}

        record Failure(NodeClass nodeClass, Waiting waiting, int distance) implements Attempt {}
    }

    /**
     * Judges the gang by what is free now.
     *
     * @param now milliseconds since the epoch
     * @param since when the gang was first runnable
     */
    public Verdict judge(Gang gang, long now, long since) {
        Waiting closed = queueClosed(gang);
        if (closed != null) {
            return new Blocked(closed, Set.of());
        }
        Candidates candidates = Candidates.of(gang, fleet, quotas);
        if (candidates.classes().isEmpty()) {
            return new Blocked(sentences.noCandidate(gang, candidates), Set.of());
        }
        List<Attempt.Failure> failures = new ArrayList<>();
        for (NodeClass nodeClass : candidates.classes()) {
            Attempt attempt = attempt(gang, nodeClass);
            if (attempt instanceof Attempt.Success success) {
                return success.fits();
            }
            failures.add((Attempt.Failure) attempt);
        }
        Verdict later = later(gang, failures, now, since);
        return later != null ? later : blocked(gang, failures, now, since);
    }

    /** What a gang with a claim waits for. */
    public Waiting waitingFor(Claim claim) {
        String nodeClass = claim.place().podsets().get(0).nodeClass();
        List<String> titles = claim.victims().stream().map(committed::title).toList();
        if (claim.victims().isEmpty()) {
            return sentences.isMoved(nodeClass);
        }
        return claim.moves().isEmpty()
                ? sentences.waitingForVictims(nodeClass, titles)
                : sentences.waitingForMoves(nodeClass, titles);
    }

    /** Whether its queue takes part and takes it: otherwise it waits for a change of policy, and wants nothing meanwhile. */
    public boolean isTaken(Gang gang) {
        return queueClosed(gang) == null;
    }

    /** Why the gang can never start as queues and fleet are declared now; empty when it could, or when that is not certain. */
    public Optional<Waiting> never(Gang gang) {
        if (quotas.get(gang.queue()) == null || quotas.problem(gang.queue()).isPresent()) {
            return Optional.empty();
        }
        List<Waiting> broken = new QueueTerms(quotas.path(gang.queue()), quotas.gpuResources()).broken(gang);
        if (!broken.isEmpty()) {
            return Optional.of(broken.get(0));
        }
        Waiting first = null;
        Candidates candidates = Candidates.of(gang, fleet, quotas);
        for (NodeClass candidate : candidates.classes()) {
            Waiting never = never(gang, candidate);
            if (never == null) {
                return Optional.empty();
            }
            first = first == null ? never : first;
        }
        return Optional.ofNullable(candidates.areShared() ? sentences.noCandidate(gang, candidates) : first);
    }

    /**
     * The class whose growth the gang waits for: in none that it may use could it ever run on the nodes that exist, and this
     * is the first in which new nodes would serve it. Its queue is in the tree.
     */
    public Optional<NodeClass> growingFor(Gang gang) {
        if (!isTaken(gang)) {
            return Optional.empty();
        }
        NodeClass growing = null;
        for (NodeClass candidate : Candidates.of(gang, fleet, quotas).classes()) {
            boolean served = never(gang, candidate) == null;
            if (served && Growth.needed(fleet, candidate.name(), gang.podsets()) == 0) {
                return Optional.empty();
            }
            growing = served && growing == null ? candidate : growing;
        }
        return Optional.ofNullable(growing);
    }

    /** What one gang is charged in each class that it may use, the first class first; empty when there is none. */
    public List<Map.Entry<String, Amounts>> charges(Gang gang) {
        return Candidates.of(gang, fleet, quotas).charges(gang, quotas);
    }

    /** Whether the gang surely has no place now in any class, and nobody could be stopped for it; fast. */
    public boolean cannotStart(Gang gang) {
        if (quotas.hasInterruptible()) {
            return false;
        }
        if (!gang.nodeClasses().isEmpty()) {
            for (String name : gang.nodeClasses()) {
                if (Outlook.mayHoldNow(fleet, name, gang.podsets())) {
                    return false;
                }
            }
            return true;
        }
        for (NodeClass of : fleet.classes()) {
            if (Outlook.mayHoldNow(fleet, of.name(), gang.podsets())) {
                return false;
            }
        }
        return true;
    }

    /** A number that is another whenever {@link #cannotStart} may say something else. */
    public long room() {
        return 2 * fleet.version() + (quotas.hasInterruptible() ? 1 : 0);
    }

    private @Nullable Waiting queueClosed(Gang gang) {
        Queue queue = quotas.get(gang.queue());
        if (queue == null) {
            return sentences.queueUnknown(gang);
        }
        Optional<String> problem = quotas.problem(queue.name());
        if (problem.isPresent()) {
            return sentences.queueBroken(queue, problem.get());
        }
        if (!queue.namespaces().isEmpty() && !queue.namespaces().contains(gang.namespace())) {
            return sentences.namespaceNotAllowed(gang, queue);
        }
        Queue stopped = quotas.stopped(queue.name());
        if (stopped != null) {
            return sentences.queueStopped(stopped);
        }
        List<Waiting> broken = new QueueTerms(quotas.path(queue.name()), quotas.gpuResources()).broken(gang);
        return broken.isEmpty() ? null : broken.get(0);
    }

    /** Step 3 for one class. */
    private Attempt attempt(Gang gang, NodeClass nodeClass) {
        Stake candidate = candidate(gang, nodeClass);
        int newNodes = Growth.needed(fleet, nodeClass.name(), gang.podsets());
        Waiting never = never(gang, nodeClass, candidate, newNodes);
        if (never != null) {
            return new Attempt.Failure(nodeClass, never, NEVER);
        }
        Refusal refusal = quotas.refusal(candidate);
        if (newNodes > 0) {
            return new Attempt.Failure(
                    nodeClass, sentences.waitingForCapacity(nodeClass, newNodes, refusal == null), UNHELPED);
        }
        Headroom.Kept kept = keptForServing(gang, nodeClass);
        if (kept != null) {
            return new Attempt.Failure(nodeClass, sentences.keptForServing(nodeClass, kept), UNHELPED);
        }
        if (refusal != null) {
            return new Attempt.Failure(nodeClass, sentences.quotaExhausted(gang, nodeClass, refusal), 2);
        }
        Reserved.Span whole = reserved.toItsBound(gang);
        Fits fits = fitsFor(whole, gang, nodeClass, candidate);
        if (fits != null) {
            return new Attempt.Success(fits);
        }
        if (find(gang, nodeClass, Map.of()) instanceof Finding.Shortfall shortfall) {
            return new Attempt.Failure(nodeClass, sentences.noPlace(nodeClass, shortfall), 1);
        }
        fits = fitsYielding(gang, nodeClass, candidate);
        return fits != null
                ? new Attempt.Success(fits)
                : new Attempt.Failure(nodeClass, reservedForOthers(gang, nodeClass), 0);
    }

    private @Nullable Fits fitsFor(Reserved.Span span, Gang gang, NodeClass nodeClass, Stake candidate) {
        Map<String, long[]> kept = reserved.kept(gang, nodeClass.name(), span);
        return find(gang, nodeClass, kept) instanceof Finding.Place place
                        && reserved.leavesQuota(gang, nodeClass.name(), candidate, span)
                ? Fits.of(quotas, gang, nodeClass.name(), place.podsets(), span.yieldsTo())
                : null;
    }

    /** Interruptible work that its own queue does not cover may pass reservations to which it gives way in time. */
    private @Nullable Fits fitsYielding(Gang gang, NodeClass nodeClass, Stake candidate) {
        List<Reserved.Span> spans = gang.interruptible() ? reserved.yielding(gang, nodeClass.name()) : List.of();
        if (spans.isEmpty() || quotas.standing().coveredWith(candidate)[candidate.slot()] == candidate.queue()) {
            return null;
        }
        for (Reserved.Span span : spans) {
            Fits fits = fitsFor(span, gang, nodeClass, candidate);
            if (fits != null) {
                return fits;
            }
        }
        return null;
    }

    private Headroom.@Nullable Kept keptForServing(Gang gang, NodeClass nodeClass) {
        String name = nodeClass.name();
        Headroom headroom = quotas.headroom();
        return gang.interruptible() || !headroom.isKept(name)
                ? null
                : headroom.against(gang.queue(), name, quotas.charge(gang, name), fleet.freeGpus(name, View.LATER));
    }

    private Waiting reservedForOthers(Gang gang, NodeClass nodeClass) {
        return sentences.reservedForOthers(
                nodeClass,
                reserved.first(gang, nodeClass.name()).orElse(new Reserved.For("gangs before it", Long.MAX_VALUE)));
    }

    private Finding find(Gang gang, NodeClass nodeClass, Map<String, long[]> kept) {
        return Placer.find(fleet, View.NOW, nodeClass.name(), gang.podsets(), gang.interruptible(), kept);
    }

    /** Steps 4 and 5: null when nothing that is stopping, and nobody who may be stopped, would help. */
    private @Nullable Verdict later(Gang gang, List<Attempt.Failure> failures, long now, long since) {
        for (Attempt.Failure failure : failures) {
            if (failure.distance() < UNHELPED && fitsLater(gang, failure.nodeClass())) {
                Set<Blocker> blockers = blockers(gang, failures, now, since);
                blockers.add(new Blocker.OfTaken(failure.nodeClass().name()));
                return new Blocked(sentences.waitingForStopping(failure.nodeClass()), blockers);
            }
        }
        for (int i = 0; i < failures.size() && quotas.hasInterruptible(); i++) {
            Attempt.Failure failure = failures.get(i);
            if (failure.distance() >= UNHELPED) {
                continue;
            }
            NodeClass nodeClass = failure.nodeClass();
            Stake candidate = candidate(gang, nodeClass);
            Verdict verdict = relocation.attempt(gang, nodeClass, candidate, now);
            if (verdict == null) {
                verdict = preemption.attempt(gang, nodeClass, candidate, now - since >= SHARE_WAIT, now);
            }
            if (verdict instanceof Preempts) {
                return verdict;
            }
            if (verdict instanceof Blocked noPlace && failure.distance() > 0) {
                failures.set(i, new Attempt.Failure(failure.nodeClass(), noPlace.waiting(), 1));
            }
        }
        return null;
    }

    private boolean fitsLater(Gang gang, NodeClass nodeClass) {
        Stake candidate = candidate(gang, nodeClass);
        return quotas.standing().admits(candidate)
                && Placer.place(
                                fleet,
                                View.LATER,
                                nodeClass.name(),
                                gang.podsets(),
                                gang.interruptible(),
                                reserved.keptWithout(Set.of(), gang, nodeClass.name(), reserved.toItsBound(gang)))
                        != null
                && reserved.leavesQuota(gang, nodeClass.name(), candidate, reserved.toItsBound(gang));
    }

    private Blocked blocked(Gang gang, List<Attempt.Failure> failures, long now, long since) {
        Attempt.Failure closest = failures.get(0);
        for (Attempt.Failure failure : failures) {
            closest = failure.distance() < closest.distance() ? failure : closest;
        }
        return new Blocked(closest.waiting(), blockers(gang, failures, now, since));
    }

    private Set<Blocker> blockers(Gang gang, List<Attempt.Failure> failures, long now, long since) {
        Set<Blocker> blockers = new LinkedHashSet<>();
        blockers.add(new Blocker.OfTree(root(gang.queue())));
        for (Attempt.Failure failure : failures) {
            blockers.add(new Blocker.OfClass(failure.nodeClass().name()));
            if (failure.distance() == 0) {
                blockers.add(new Blocker.OfReservations(failure.nodeClass().name()));
            }
        }
        if (quotas.hasInterruptible()) {
            long next = committed.nextProtectionEnd(now);
            next = now - since < SHARE_WAIT ? Math.min(next, since + SHARE_WAIT) : next;
            for (Attempt.Failure failure : failures) {
                next = Math.min(next, relocation.retryAt(gang, failure.nodeClass(), now));
            }
            if (next < Long.MAX_VALUE) {
                blockers.add(new Blocker.Time(next));
            }
        }
        return blockers;
    }

    /** The root above a queue, by which quota that comes free is announced. */
    public String root(String queue) {
        int node = quotas.tree().indexOf(queue);
        while (node >= 0 && quotas.tree().parent(node) >= 0) {
            node = quotas.tree().parent(node);
        }
        return node < 0 ? queue : quotas.tree().name(node);
    }

    private @Nullable Waiting never(Gang gang, NodeClass nodeClass) {
        return never(
                gang, nodeClass, candidate(gang, nodeClass), Growth.needed(fleet, nodeClass.name(), gang.podsets()));
    }

    private @Nullable Waiting never(Gang gang, NodeClass nodeClass, Stake candidate, int newNodes) {
        LedgerKind kind = gang.interruptible() ? LedgerKind.NORMAL : LedgerKind.FIRM;
        Refusal refusal = quotas.tree().neverFits(kind, candidate.queue(), candidate.charge());
        if (refusal != null) {
            return sentences.neverWithinQuota(gang, nodeClass, refusal);
        }
        return newNodes >= 0 ? null : sentences.neverOnFleet(gang, nodeClass);
    }

    /** The gang as a candidate for one class, of a queue that is in the tree. */
    public Stake candidate(Gang gang, NodeClass nodeClass) {
        Commitment commitment = new Commitment(
                gang.uid(),
                gang.queue(),
                Map.of(nodeClass.name(), quotas.charge(gang, nodeClass.name())),
                !gang.interruptible(),
                gang.priority(),
                Stake.CANDIDATE);
        Stake candidate = quotas.candidate(commitment);
        if (candidate == null) {
            throw new IllegalStateException("queue " + gang.queue() + " has quota but no place in the tree");
        }
        return candidate;
    }
}

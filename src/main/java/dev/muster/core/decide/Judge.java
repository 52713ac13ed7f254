package dev.muster.core.decide;

import dev.muster.core.decide.QuotaBook.Shortage;
import dev.muster.core.decide.Verdict.Blocked;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.decide.Verdict.Fits;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Placer;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides about one gang: may it start now, and where? Nothing is charged or booked here; who asked does that before the
 * next gang is judged.
 *
 * <p>Steps: (1) its queue must exist, reach a root, take its namespace and not be stopped; (2) its classes are those that
 * it names, else all that its queue has quota in, that offer its GPU and meet its requirements; (3) in that order, the
 * first class in which quota suffices and all members have a place wins. The reason is that of the class that came
 * closest: a missing place outranks missing quota, which outranks what no waiting can cure.
 */
public final class Judge {
    private final QueueTree queues;
    private final QuotaBook quotas;
    private final Fleet fleet;
    private final Sentences sentences;

    /** Judges by the given state, which its owner keeps current. */
    public Judge(QueueTree queues, QuotaBook quotas, Fleet fleet) {
        this.queues = queues;
        this.quotas = quotas;
        this.fleet = fleet;
        this.sentences = new Sentences(fleet);
    }

    /** Judges the gang by what is free now. */
    public Verdict judge(Gang gang) {
        Blocked closed = queueClosed(gang);
        if (closed != null) {
            return closed;
        }
        List<NodeClass> candidates = new ArrayList<>();
        Blocked worst = sort(gang, candidates);
        Set<Blocker> blockers = new LinkedHashSet<>();
        blockers.add(new Blocker.AnyClass());
        Waiting closest = worst == null ? null : worst.waiting();
        int distance = Integer.MAX_VALUE;
        for (NodeClass candidate : candidates) {
            Attempt attempt = attempt(gang, candidate);
            if (attempt instanceof Attempt.Success success) {
                return success.fits();
            }
            Attempt.Failure failure = (Attempt.Failure) attempt;
            blockers.add(failure.blocker());
            if (failure.distance() < distance) {
                distance = failure.distance();
                closest = failure.waiting();
            }
        }
        blockers.add(new Blocker.OfQueue(gang.queue()));
        return new Blocked(closest == null ? sentences.noClass(gang) : closest, blockers);
    }

    /** Why the gang can never start as queues and fleet are declared now; empty when it could, or when that is not certain. */
    public Optional<Waiting> never(Gang gang) {
        if (queues.get(gang.queue()) == null || queues.problem(gang.queue()).isPresent()) {
            return Optional.empty();
        }
        List<NodeClass> candidates = new ArrayList<>();
        Blocked unmet = sort(gang, candidates);
        if (candidates.isEmpty()) {
            return unmet == null || unmet.waiting().reason() != Reason.NEVER_RUNNABLE
                    ? Optional.empty()
                    : Optional.of(unmet.waiting());
        }
        Waiting first = null;
        for (NodeClass candidate : candidates) {
            Waiting never = never(gang, candidate);
            if (never == null) {
                return Optional.empty();
            }
            first = first == null ? never : first;
        }
        return Optional.ofNullable(first);
    }

    /** What the gang takes of its queue's quota in its first class; in no class, all that it asks. */
    public Amounts charge(Gang gang) {
        List<NodeClass> candidates = new ArrayList<>();
        sort(gang, candidates);
        return candidates.isEmpty() ? gang.total() : charge(gang, candidates.get(0));
    }

    /** The class in which its demand counts: the first that it may use; empty when there is none. */
    public String firstClass(Gang gang) {
        List<NodeClass> candidates = new ArrayList<>();
        sort(gang, candidates);
        return candidates.isEmpty() ? "" : candidates.get(0).name();
    }

    private @Nullable Blocked queueClosed(Gang gang) {
        Queue queue = queues.get(gang.queue());
        Blocker anyQueue = new Blocker.AnyQueue();
        if (queue == null) {
            return new Blocked(sentences.queueUnknown(gang), Set.of(anyQueue));
        }
        Optional<String> problem = queues.problem(queue.name());
        if (problem.isPresent()) {
            return new Blocked(sentences.queueBroken(queue, problem.get()), Set.of(anyQueue));
        }
        if (!queue.namespaces().isEmpty() && !queue.namespaces().contains(gang.namespace())) {
            return new Blocked(sentences.namespaceNotAllowed(gang, queue), Set.of(anyQueue));
        }
        Queue stopped = queues.stopped(queue.name());
        return stopped == null ? null : new Blocked(sentences.queueStopped(stopped), Set.of(anyQueue));
    }

    /** Step 2: fills {@code candidates}; when it stays empty, returns why. */
    private @Nullable Blocked sort(Gang gang, List<NodeClass> candidates) {
        List<NodeClass> wished = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        if (gang.nodeClasses().isEmpty()) {
            wished.addAll(fleet.classes());
        } else {
            gang.nodeClasses()
                    .forEach(name -> fleet.nodeClass(name).ifPresentOrElse(wished::add, () -> unknown.add(name)));
        }
        @Nullable Requirement unmet = null;
        for (NodeClass nodeClass : wished) {
            Optional<Requirement> first = gang.requirements().stream()
                    .filter(requirement -> !Facts.meet(nodeClass.facts(), requirement))
                    .findFirst();
            if (first.isPresent()) {
                unmet = unmet == null ? first.get() : unmet;
            } else if (offers(nodeClass, gang) && quotas.names(gang.queue(), nodeClass.name())) {
                candidates.add(nodeClass);
            }
        }
        if (!candidates.isEmpty()) {
            return null;
        }
        Set<Blocker> blockers =
                Set.of(new Blocker.AnyClass(), new Blocker.OfQueue(gang.queue()), new Blocker.AnyQueue());
        if (unmet != null) {
            return new Blocked(sentences.requirementUnmet(gang, unmet, wished), blockers);
        }
        return new Blocked(sentences.noCandidate(gang, wished, unknown), blockers);
    }

    /** A class offers what the gang asks if every extended resource asked is its GPU; plain pods go anywhere. */
    private static boolean offers(NodeClass nodeClass, Gang gang) {
        return gang.podsets().stream()
                .flatMap(podset -> podset.shape().requests().byResource().keySet().stream())
                .filter(Sentences::isDevice)
                .allMatch(nodeClass.resource()::equals);
    }

    private sealed interface Attempt {
        record Success(Fits fits) implements Attempt {}

        /** The smaller the distance, the closer it came. */
        record Failure(Waiting waiting, Blocker blocker, int distance) implements Attempt {}
    }

    private Attempt attempt(Gang gang, NodeClass nodeClass) {
        Waiting never = never(gang, nodeClass);
        if (never != null) {
            return new Attempt.Failure(never, new Blocker.OfClass(nodeClass.name()), 3);
        }
        Optional<Shortage> shortage = quotas.shortage(gang.queue(), nodeClass.name(), charge(gang, nodeClass));
        if (shortage.isPresent()) {
            return new Attempt.Failure(sentences.quotaExhausted(shortage.get()), new Blocker.OfQueue(gang.queue()), 2);
        }
        Finding finding = Placer.find(fleet, nodeClass.name(), gang.podsets(), gang.interruptible());
        if (finding instanceof Finding.Shortfall shortfall) {
            return new Attempt.Failure(
                    sentences.noPlace(nodeClass, shortfall), new Blocker.OfClass(nodeClass.name()), 1);
        }
        return new Attempt.Success(fits(gang, nodeClass, (Finding.Place) finding));
    }

    private @Nullable Waiting never(Gang gang, NodeClass nodeClass) {
        Optional<Shortage> shortage = quotas.shortage(gang.queue(), nodeClass.name(), charge(gang, nodeClass))
                .filter(Shortage::isForEver);
        if (shortage.isPresent()) {
            return sentences.neverWithinQuota(shortage.get());
        }
        return Placer.fitsWhenEmpty(fleet, nodeClass.name(), gang.podsets())
                ? null
                : sentences.neverOnFleet(gang, nodeClass);
    }

    private Fits fits(Gang gang, NodeClass nodeClass, Finding.Place place) {
        List<PodSetPlace> podsets = new ArrayList<>();
        for (int i = 0; i < gang.podsets().size(); i++) {
            PodSet podset = gang.podsets().get(i);
            Amounts perMember = quotas.chargeable(
                    gang.queue(),
                    nodeClass.name(),
                    nodeClass.resource(),
                    podset.shape().requests());
            podsets.add(new PodSetPlace(
                    podset.name(), nodeClass.name(), perMember, place.podsets().get(i)));
        }
        return new Fits(nodeClass.name(), podsets);
    }

    private Amounts charge(Gang gang, NodeClass nodeClass) {
        return quotas.chargeable(gang.queue(), nodeClass.name(), nodeClass.resource(), gang.total());
    }
}

package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Attempt.Loss;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The members of an admitted gang as they are now, counted against what it needs: what its job will really still create, so
 * completed members are not missed.
 *
 * @param needed members that it needs
 * @param ready of these, how many are ready
 * @param up of these, how many run on a node, ready or not
 * @param bound of these, how many are on a node
 * @param members all that its place is for
 * @param done how many of its pods have ended well
 * @param troubled pods of this attempt with which something is wrong, those that are the cluster's fault first, then by name
 */
record Roster(int needed, int ready, int up, int bound, int members, int done, List<PodFacts> troubled) {
    private static final Comparator<PodFacts> WORST_FIRST = Comparator.comparing(
                    (PodFacts pod) -> pod.report().trouble().fault() != Fault.CLUSTER)
            .thenComparing(PodFacts::name)
            .thenComparing(PodFacts::uid);

    private static final class Count {
        int ready;
        int up;
        int bound;
        int done;
    }

    static Roster of(Admission admission, GangStatus status, Collection<PodFacts> pods) {
        Map<String, Count> counts = new HashMap<>();
        List<PodFacts> troubled = new ArrayList<>();
        for (PodFacts pod : pods) {
            if (pod.membership() == null || !isOf(admission, pod)) {
                continue;
            }
            Count count = counts.computeIfAbsent(pod.membership().podset(), podset -> new Count());
            count.ready += pod.phase() == Phase.READY ? 1 : 0;
            count.up += pod.phase() == Phase.READY || pod.phase() == Phase.RUNNING ? 1 : 0;
            count.bound += pod.staysOnNode() ? 1 : 0;
            count.done += pod.hasEndedWell() ? 1 : 0;
            if (pod.report().trouble() != Trouble.NONE) {
                troubled.add(pod);
            }
        }
        troubled.sort(WORST_FIRST);
        return sum(admission, status, counts, troubled);
    }

    private static Roster sum(
            Admission admission, GangStatus status, Map<String, Count> counts, List<PodFacts> troubled) {
        int needed = 0;
        int ready = 0;
        int up = 0;
        int bound = 0;
        int members = 0;
        int done = 0;
        for (PodSetPlace place : admission.podsets()) {
            Count count = counts.getOrDefault(place.podset(), new Count());
            int unended = Math.max(0, place.count() - count.done); // of a job that does not say what it still creates
            int missed = Math.min(place.count(), status.remaining().getOrDefault(place.podset(), unended));
            members += place.count();
            done += count.done;
            needed += missed;
            ready += Math.min(missed, count.ready);
            up += Math.min(missed, count.up);
            bound += Math.min(missed, count.bound);
        }
        return new Roster(needed, ready, up, bound, members, done, List.copyOf(troubled));
    }

    /** Pods that were not stamped, by an earlier version or because they are still gated, count as of the present attempt. */
    private static boolean isOf(Admission admission, PodFacts pod) {
        return pod.report().attempt() == 0 || pod.report().attempt() == admission.attempt();
    }

    /** Whether all that it needs are ready; one that has ended well was so, too. */
    boolean isWhole() {
        return ready >= needed || ready + done >= members;
    }

    /** The one with which it is worst; null when nothing is known to be wrong. */
    @Nullable
    PodFacts worst() {
        return troubled.isEmpty() ? null : troubled.get(0);
    }

    Fault fault() {
        PodFacts worst = worst();
        return worst == null ? Fault.NOBODY : worst.report().trouble().fault();
    }

    boolean has(Trouble... kinds) {
        return troubled.stream()
                .anyMatch(pod -> List.of(kinds).contains(pod.report().trouble()));
    }

    /** What has gone wrong, as evidence. */
    List<Loss> losses() {
        return troubled.stream()
                .map(pod -> new Loss(
                        pod.name(),
                        Objects.requireNonNullElse(pod.node(), ""),
                        pod.report().exitCode(),
                        pod.report().reason(),
                        pod.report().message()))
                .toList();
    }

    /** What is wrong with the worst member, to follow a sentence; empty when nothing is known. */
    String detail() {
        List<Loss> losses = losses();
        return losses.isEmpty() ? "" : " Member " + losses.get(0).sentence();
    }
}

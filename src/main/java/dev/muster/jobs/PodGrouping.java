package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.GangState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which of the pods that name one group make up which gang.
 *
 * <ol>
 *   <li>Pods that have a place belong to the gang of their stamp. It is closed once it stops, has ended or all of its pods
 *       are leaving, and closed for good: nobody joins it any more.
 *   <li>While one gang is open, a waiting pod takes the place that a lost or failed one of its shape has left. A pod that is
 *       still stopping, or has succeeded, keeps its place. Other waiting pods are surplus.
 *   <li>Without an open gang, the oldest waiting pods, as many as they say, are a new one; the others are surplus.
 *   <li>A pod without Muster's gate and without a place got past it by others' doing: it stands alone. So does one that comes
 *       for a lost one with a gate of somebody else's.
 * </ol>
 */
public final class PodGrouping {
    private static final Comparator<GroupPod> OLDEST_FIRST = Comparator.comparing(
                    (GroupPod one) -> String.valueOf(one.pod().getMetadata().getCreationTimestamp()))
            .thenComparing(GroupPod::name)
            .thenComparing(GroupPod::uid);

    private final Map<String, List<GroupPod>> gangs = new TreeMap<>();
    private final List<GroupPod> alone = new ArrayList<>();
    private final List<GroupPod> surplus = new ArrayList<>();
    private final Set<String> closed = new TreeSet<>();
    private @Nullable String waiting;

    /**
     * Sorts the pods of one group.
     *
     * @param closedBefore gangs that were closed when they were last looked at
     * @param waitingBefore UID of the gang that waited when it was last looked at; null when none did
     */
    public PodGrouping(Collection<GroupPod> pods, Set<String> closedBefore, @Nullable String waitingBefore) {
        List<GroupPod> loose = new ArrayList<>();
        for (GroupPod one : pods.stream().sorted(OLDEST_FIRST).toList()) {
            if (one.isGated() && !one.isLeaving()) {
                loose.add(one);
            } else if (one.gang().isEmpty() || one.isGated()) {
                alone.add(one);
            } else {
                gangs.computeIfAbsent(one.gang(), uid -> new ArrayList<>()).add(one);
            }
        }
        boolean open = false;
        for (Map.Entry<String, List<GroupPod>> gang : gangs.entrySet()) {
            boolean over = open || closedBefore.contains(gang.getKey()) || isClosed(gang.getValue());
            if (!over) {
                fill(gang.getValue(), loose);
                over = gang.getValue().stream().allMatch(GroupPod::hasEnded);
            }
            if (over) {
                closed.add(gang.getKey());
            }
            open |= !over;
        }
        if (open) {
            loose.forEach(one -> (PlainPods.foreignGates(one.pod()).isEmpty() ? surplus : alone).add(one));
        } else if (!loose.isEmpty()) {
            begin(loose, waitingBefore);
        }
    }

    /** The members of each gang, by its UID. */
    public Map<String, List<GroupPod>> gangs() {
        return gangs;
    }

    /** Pods that are judged by themselves. */
    public List<GroupPod> alone() {
        return alone;
    }

    /** Pods that their group has no need of now. */
    public List<GroupPod> surplus() {
        return surplus;
    }

    /** Gangs that nobody joins any more. */
    public Set<String> closed() {
        return closed;
    }

    /** UID of the gang that waits; null when none does. */
    public @Nullable String waiting() {
        return waiting;
    }

    private void begin(List<GroupPod> loose, @Nullable String waitingBefore) {
        String uid = waitingBefore == null ? loose.get(0).uid() + "-group" : waitingBefore;
        while (gangs.containsKey(uid)) {
            uid += "-again"; // of the same pods, some had a place already
        }
        int size = loose.get(0).size();
        int members = size == 0 ? loose.size() : Math.min(size, loose.size());
        waiting = uid;
        gangs.put(uid, List.copyOf(loose.subList(0, members)));
        surplus.addAll(loose.subList(members, loose.size()));
    }

    private static boolean isClosed(List<GroupPod> pods) {
        boolean told = pods.stream()
                .map(one -> one.label(Marks.STATE))
                .anyMatch(
                        state -> state.equals(GangState.STOPPING.label()) || state.equals(GangState.FINISHED.label()));
        return told
                || pods.stream().anyMatch(GroupPod::isLeaving)
                        && pods.stream().allMatch(one -> one.isLeaving() || one.hasEnded());
    }

    /** Moves waiting pods to the places that are free; a pod with a gate of somebody else's is not ready for one. */
    private static void fill(List<GroupPod> members, List<GroupPod> loose) {
        Map<String, Integer> free = new HashMap<>();
        Admission admission = admission(members);
        if (admission == null) {
            return;
        }
        for (PodSetPlace place : admission.podsets()) {
            long taken = members.stream()
                    .filter(one -> one.podset().equals(place.podset()))
                    .filter(one -> !one.hasEnded() || one.succeeded())
                    .count();
            free.put(place.podset(), place.count() - (int) taken);
        }
        for (GroupPod one : List.copyOf(loose)) {
            if (PlainPods.foreignGates(one.pod()).isEmpty() && free.getOrDefault(one.podset(), 0) > 0) {
                free.merge(one.podset(), -1, Integer::sum);
                members.add(one);
                loose.remove(one);
            }
        }
    }

    private static @Nullable Admission admission(List<GroupPod> members) {
        for (GroupPod one : members) {
            String text = one.mark(Marks.ADMISSION);
            try {
                if (!text.isEmpty()) {
                    return AdmissionText.read(text);
                }
            } catch (IllegalArgumentException unreadable) {
                return null; // then nobody joins; the gang itself says what is wrong
            }
        }
        return null;
    }
}

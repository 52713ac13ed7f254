package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of pods as a gang: whole or nothing, its podsets by shape. The admission stands on each of its pods, so that any of
 * them tells it; a stop deletes them all.
 */
public final class GroupedPods implements JobReader {
    /** The most pods that a group may have. */
    public static final int LARGEST = 512;

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public KindName name() {
        return KindName.POD;
    }

    @Override
    public GangReading read(HasMetadata job, Surroundings surroundings) {
        PodGroup group = (PodGroup) job;
        Problems problems = new Problems();
        GangStatus status = GangStatusReader.read(group.getMetadata(), said(group), problems);
        agreement(group, problems);
        Gang gang = gang(group, status, surroundings, problems);
        if (!problems.isEmpty()) {
            return GangReader.unreadable(group.getMetadata(), problems.all(), status);
        }
        Waiting waiting = status.admission() == null ? waiting(group) : null;
        return waiting == null
                ? new GangReading.Readable(gang, status)
                : GangReader.blocked(group.getMetadata(), waiting, status);
    }

    @Override
    public GangStatus status(HasMetadata job) {
        return GangStatusReader.read(job.getMetadata(), said((PodGroup) job), new Problems());
    }

    @Override
    public Optional<Member> member(HasMetadata job, JsonNode pod) {
        String uid = pod.at("/metadata/uid").asText();
        return ((PodGroup) job)
                .pods().stream()
                        .filter(one -> one.uid().equals(uid))
                        .map(one -> new Member(one.podset(), false, null))
                        .findFirst();
    }

    /** The patch of its first pod; each pod has one of its own. */
    @Override
    public String patch(HasMetadata job, JobChange change, Writing as) {
        PodGroup group = (PodGroup) job;
        return patch(group, group.pods().get(0), change, as);
    }

    /** The change as a merge patch of one pod of the group. */
    public static String patch(PodGroup group, GroupPod one, JobChange change, Writing as) {
        return PodGangPatches.of(
                JSON.valueToTree(one.pod()), one.podset(), group.getMetadata().getUid(), change, as);
    }

    /** Why a pod stands by that names a group which has no need of it. */
    public static GangReading surplus(Pod pod) {
        GroupPod one = GroupPod.of(pod);
        GangStatus status = new PlainPods().status(pod);
        return GangReader.blocked(
                pod.getMetadata(),
                new Waiting(
                        Reason.SURPLUS,
                        "Group " + one.label(Marks.POD_GROUP) + ", of " + one.mark(Marks.POD_GROUP_SIZE)
                                + " pods, has no free place for a pod of this shape.",
                        "It takes the place of a pod of the same shape that fails or is deleted. Delete it if it is not"
                                + " meant to, or choose another " + Marks.POD_GROUP + "."),
                status);
    }

    /** What is wrong with the marks of a group on a pod that is to be stored; nothing for a pod without a group. */
    public static void check(Pod pod, Problems problems) {
        if (PodGroup.of(pod).isPresent()) {
            size(GroupPod.of(pod), problems);
        }
    }

    private static void size(GroupPod one, Problems problems) {
        if (one.size() == 0) {
            problems.add(
                    JobMarks.annotation(Marks.POD_GROUP_SIZE),
                    one.mark(Marks.POD_GROUP_SIZE),
                    "that is no number of pods from 1 to " + LARGEST,
                    "write on each pod of the group how many it has");
        }
    }

    private static void agreement(PodGroup group, Problems problems) {
        GroupPod first = group.pods().get(0);
        size(first, problems);
        for (GroupPod other : group.pods()) {
            first.shared().forEach((key, value) -> {
                String others = other.shared().getOrDefault(key, "");
                if (!others.equals(value) && problems.isEmpty()) {
                    problems.add("the pods of a group agree in " + key + ", which is " + Problems.quote(value) + " on "
                            + first.name() + " and " + Problems.quote(others) + " on " + other.name()
                            + ". Maybe they are of different groups");
                }
            });
        }
    }

    private static @Nullable Waiting waiting(PodGroup group) {
        List<GroupPod> pods = group.pods();
        for (GroupPod one : pods) {
            List<String> foreign = PlainPods.foreignGates(one.pod());
            if (!foreign.isEmpty()) {
                return PlainPods.foreignGate("pod " + one.name(), foreign);
            }
        }
        int size = pods.get(0).size();
        return pods.size() >= size
                ? null
                : new Waiting(
                        Reason.INCOMPLETE,
                        pods.size() + " of the " + size + " pods of group "
                                + group.getMetadata().getName() + " are there.",
                        "It takes part when all of them are stored, with the same " + Marks.POD_GROUP + " and "
                                + Marks.QUEUE + ".");
    }

    private static Gang gang(PodGroup group, GangStatus status, Surroundings surroundings, Problems problems) {
        JobMarks marks = new JobMarks(group.getMetadata(), problems);
        Map<String, List<GroupPod>> byPodset = new TreeMap<>();
        group.pods()
                .forEach(one -> byPodset.computeIfAbsent(one.podset(), podset -> new ArrayList<>())
                        .add(one));
        List<Template> templates = new ArrayList<>();
        List<PodSet> podsets = new ArrayList<>();
        byPodset.forEach((podset, pods) -> {
            Pod pod = pods.get(0).pod();
            Template template = new Template(
                    podset,
                    "pod " + pods.get(0).name(),
                    pod.getMetadata(),
                    PlainPods.unbound(pod),
                    count(podset, pods.size(), status.admission()),
                    false);
            templates.add(template);
            podsets.add(PodSets.read(template, marks, group.getMetadata().getNamespace(), surroundings, problems));
            pods.forEach(other -> alike(pod, other.pod(), problems));
        });
        Long deadline =
                group.first().getSpec() == null ? null : group.first().getSpec().getActiveDeadlineSeconds();
        return GangReader.gang(group.getMetadata(), marks, podsets, templates, surroundings, deadline);
    }

    /** Pods are one podset by a short digest of what they ask, which could be forged: it has to be the same indeed. */
    private static void alike(Pod first, Pod other, Problems problems) {
        PodSpec one = PlainPods.unbound(first);
        PodSpec two = PlainPods.unbound(other);
        if (!PodRequests.of(one, List.of()).equals(PodRequests.of(two, List.of()))
                || !Objects.equals(one.getResourceClaims(), two.getResourceClaims())
                || !Objects.equals(one.getSchedulerName(), two.getSchedulerName())) {
            problems.add("pods " + first.getMetadata().getName() + " and "
                    + other.getMetadata().getName()
                    + " of one group ask different things, though they look alike. Maybe create the second anew");
        }
    }

    private static int count(String podset, int pods, @Nullable Admission admission) {
        if (admission == null) {
            return pods;
        }
        return admission.podsets().stream()
                .filter(place -> place.podset().equals(podset))
                .mapToInt(PodSetPlace::count)
                .findFirst()
                .orElse(pods);
    }

    private static GangStatusReader.Said said(PodGroup group) {
        List<GroupPod> pods = group.pods();
        boolean waits = pods.stream().allMatch(GroupPod::isGated);
        int active = 0;
        int terminating = 0;
        int ended = 0;
        Map<String, Integer> succeeded = new HashMap<>();
        for (GroupPod one : pods) {
            ended += one.hasEnded() ? 1 : 0;
            terminating += one.isLeaving() && !one.hasEnded() ? 1 : 0;
            active += !one.isLeaving() && !one.hasEnded() && !one.isGated() ? 1 : 0;
            if (one.succeeded()) {
                succeeded.merge(one.podset(), 1, Integer::sum);
            }
        }
        boolean leaving = terminating > 0 && terminating + ended == pods.size();
        boolean over = ended == pods.size();
        int good = succeeded.values().stream().mapToInt(Integer::intValue).sum();
        End end = leaving
                ? End.LEAVING
                : !over ? End.NOT_YET : good >= pods.get(0).size() ? End.SUCCEEDED : End.FAILED;
        return new GangStatusReader.Said(
                waits,
                waits ? Acknowledged.NO : Acknowledged.YES,
                active,
                terminating,
                remaining(group, succeeded),
                end);
    }

    private static Map<String, Integer> remaining(PodGroup group, Map<String, Integer> succeeded) {
        Map<String, Integer> remaining = new HashMap<>();
        String text = JobMarks.annotations(group.getMetadata()).get(Marks.ADMISSION);
        try {
            if (text != null) {
                AdmissionText.read(text)
                        .podsets()
                        .forEach(place -> remaining.put(
                                place.podset(),
                                Math.max(0, place.count() - succeeded.getOrDefault(place.podset(), 0))));
            }
        } catch (IllegalArgumentException unreadable) {
            return Map.of(); // it is said where the admission itself is read
        }
        return remaining;
    }
}

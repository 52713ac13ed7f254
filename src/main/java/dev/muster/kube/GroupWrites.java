package dev.muster.kube;

import dev.muster.api.Marks;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.Toleration;
import dev.muster.engine.Action;
import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.GroupPod;
import dev.muster.jobs.GroupedPods;
import dev.muster.jobs.JobReader.Writing;
import dev.muster.jobs.PodGroup;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes on the pods of a group, one after the other. Each carries all that it says, so whatever is left undone when a write
 * is refused, or this process ends, is seen from the pods: an admitted group places the pods that have no place yet, and a
 * stopped one stops the pods that go on.
 */
final class GroupWrites {
    private final Calls calls;
    private final JobSight jobs;
    private final Clock clock;
    private final Function<String, List<Toleration>> tolerations;

    GroupWrites(Calls calls, JobSight jobs, Clock clock, Function<String, List<Toleration>> tolerations) {
        this.calls = calls;
        this.jobs = jobs;
        this.clock = clock;
        this.tolerations = tolerations;
    }

    /** Writes the change on every pod that it concerns, and gives the first as stored then; a stop deletes them. */
    HasMetadata write(PodGroup group, Action action, JobChange change, String fence) throws WriteFailed {
        if (!group.getMetadata().getResourceVersion().equals(action.target().resourceVersion())) {
            throw new WriteFailed(Refusal.STALE, "the group has changed since the decision", null);
        }
        HasMetadata first = group.first();
        for (GroupPod one : addressed(group, change)) {
            HasMetadata stored = write(group, one, change, fence);
            if (change instanceof JobChange.Stop) {
                delete(stored);
            }
            first = one.pod().equals(group.first()) ? stored : first;
        }
        return first;
    }

    /** Gives one waiting pod its place in an admitted group. */
    HasMetadata place(PodGroup group, Pod pod, JobChange.Admit admitted, String fence) throws WriteFailed {
        GroupPod member = group.pods().stream()
                .filter(one -> uid(one.pod()).equals(uid(pod)))
                .findFirst()
                .orElseThrow(() -> new WriteFailed(Refusal.STALE, "the pod is no member of its group any more", null));
        return write(group, new GroupPod(pod, member.podset()), admitted, fence);
    }

    /** Reads all pods anew and passes them on; whether one is still there. */
    boolean look(PodGroup group) throws WriteFailed {
        boolean there = false;
        for (GroupPod one : group.pods()) {
            Optional<HasMetadata> found = calls.job(KindName.POD, namespace(one.pod()), name(one.pod()))
                    .filter(pod -> uid(pod).equals(uid(one.pod())));
            found.ifPresent(pod -> jobs.observe(KindName.POD, pod));
            there |= found.isPresent();
        }
        return there;
    }

    /** What is needed once stands on the first pod; what ends is taken from wherever it stands. */
    private static List<GroupPod> addressed(PodGroup group, JobChange change) {
        if (change instanceof JobChange.MakeClaim || change instanceof JobChange.Explain) {
            return group.pods().subList(0, 1);
        }
        if (change instanceof JobChange.DropClaim) {
            return group.pods().stream()
                    .filter(one -> annotations(one.pod()).containsKey(Marks.CLAIM))
                    .toList();
        }
        if (change instanceof JobChange.Notice || change instanceof JobChange.Stop) {
            return group.pods().stream()
                    .filter(one -> annotations(one.pod()).containsKey(Marks.GANG_UID) && isLive(one.pod()))
                    .toList();
        }
        return group.pods();
    }

    private HasMetadata write(PodGroup group, GroupPod one, JobChange change, String fence) throws WriteFailed {
        String version = one.pod().getMetadata().getResourceVersion();
        Writing as = new Writing(version, fence, clock.millis(), tolerations);
        String patch = GroupedPods.patch(group, one, change, as);
        HasMetadata stored = calls.patchJob(KindName.POD, namespace(one.pod()), name(one.pod()), patch);
        jobs.observe(KindName.POD, stored);
        return stored;
    }

    private void delete(HasMetadata pod) throws WriteFailed {
        calls.deletePod(namespace(pod), name(pod), pod.getMetadata().getResourceVersion());
        calls.job(KindName.POD, namespace(pod), name(pod))
                .filter(found -> uid(found).equals(uid(pod)))
                .ifPresent(left -> jobs.observe(KindName.POD, left));
    }

    private static boolean isLive(Pod pod) {
        String phase =
                pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
        return pod.getMetadata().getDeletionTimestamp() == null
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
    }

    private static Map<String, String> annotations(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private static String namespace(HasMetadata object) {
        return object.getMetadata().getNamespace();
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}

package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.core.model.PodFacts.Phase;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stored pod. One that is a gang of one is its own member. Another belongs to a gang when it carries the managed label, which only the job controller can give it,
 * and then by the UID of its controller, or by the stamps that it was given when placed once it has lost its owner.
 */
public final class PodReader {
    /** What the API server gives a pod that asks for no grace period, in seconds. */
    private static final long DEFAULT_GRACE = 30;

    private PodReader() {}

    /** What is known of the pod. Never throws. */
    public static PodFacts read(Pod pod) {
        return read(pod, membership(pod));
    }

    /** The same, with the devices of its claims. */
    public static PodFacts read(Pod pod, Surroundings surroundings) {
        return read(pod, membership(pod), surroundings);
    }

    /** What is known of the pod, when it is known whose member it is; null for nobody's. Never throws. */
    public static PodFacts read(Pod pod, @Nullable Membership membership, Surroundings surroundings) {
        PodFacts plain = read(pod, membership);
        Amounts taken = DeviceClaims.taken(plain.requests(), pod.getSpec(), plain.namespace(), surroundings);
        return taken.equals(plain.requests()) ? plain : plain.asking(taken);
    }

    private static PodFacts read(Pod pod, @Nullable Membership membership) {
        List<String> gates = gates(pod);
        // the gate of a gang of one is its switch, and no member of it waits for a place
        boolean gated = gates.contains(Marks.GATE)
                && (!PlainPods.isGang(pod)
                        || membership != null
                                && !membership
                                        .gangUid()
                                        .equals(pod.getMetadata().getUid()));
        return new PodFacts(
                orEmpty(pod.getMetadata().getUid()),
                orEmpty(pod.getMetadata().getNamespace()),
                orEmpty(pod.getMetadata().getName()),
                node(pod),
                PodRequests.of(pod.getSpec(), List.of()), // a stored pod has its defaults already
                phase(pod),
                gated,
                gates.stream().allMatch(Marks.GATE::equals),
                membership,
                grace(pod),
                PodReports.read(pod));
    }

    /** UID of the job that controls this pod. */
    public static Optional<String> controllingJob(List<OwnerReference> owners) {
        return owners.stream()
                .filter(o -> Boolean.TRUE.equals(o.getController()) && "Job".equals(o.getKind()))
                .filter(o -> o.getApiVersion() != null && o.getApiVersion().startsWith("batch/"))
                .map(OwnerReference::getUid)
                .findFirst();
    }

    private static long grace(Pod pod) {
        Long seconds = pod.getSpec().getTerminationGracePeriodSeconds();
        return 1_000 * (seconds == null ? DEFAULT_GRACE : Math.max(0, Math.min(seconds, Integer.MAX_VALUE)));
    }

    private static @Nullable String node(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : node;
    }

    private static List<String> gates(Pod pod) {
        List<PodSchedulingGate> gates = pod.getSpec().getSchedulingGates();
        return gates == null
                ? List.of()
                : gates.stream().map(PodSchedulingGate::getName).toList();
    }

    private static Phase phase(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        if ("Succeeded".equals(status.getPhase()) || "Failed".equals(status.getPhase())) {
            return Phase.ENDED;
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return Phase.STOPPING;
        }
        if (!"Running".equals(status.getPhase())) {
            return Phase.PENDING;
        }
        boolean ready = status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
        return ready ? Phase.READY : Phase.RUNNING;
    }

    private static @Nullable Membership membership(Pod pod) {
        Map<String, String> stamps = JobMarks.annotations(pod.getMetadata());
        if (PlainPods.isGang(pod)) {
            return ofItself(pod);
        }
        if (!"true".equals(JobMarks.labels(pod.getMetadata()).get(Marks.MANAGED))) {
            return null;
        }
        List<OwnerReference> owners = pod.getMetadata().getOwnerReferences();
        String gang = Optional.ofNullable(stamps.get(Marks.GANG_UID)) // only Muster writes it; owners anybody may
                .or(() -> controllingJob(owners == null ? List.of() : owners))
                .orElse("");
        return gang.isEmpty() ? null : member(gang, stamps);
    }

    /** A pod that is its own gang; it is charged to the queue that it names even if it never got a place. */
    public static Membership ofItself(Pod pod) {
        return member(pod, orEmpty(pod.getMetadata().getUid()), GangReader.PODSET);
    }

    /** A pod of a group. */
    public static Membership ofGroup(GroupPod one, String gangUid) {
        return member(one.pod(), gangUid, one.podset());
    }

    private static Membership member(Pod pod, String gangUid, String podset) {
        Map<String, String> stamps = JobMarks.annotations(pod.getMetadata());
        String queue = JobMarks.labels(pod.getMetadata()).getOrDefault(Marks.QUEUE, "");
        return new Membership(
                gangUid,
                podset,
                stamps.getOrDefault(Marks.CHARGED_QUEUE, queue),
                stamps.getOrDefault(Marks.NODE_CLASS, ""));
    }

    private static Membership member(String gang, Map<String, String> stamps) {
        return new Membership(
                gang,
                stamps.getOrDefault(Marks.PODSET, GangReader.PODSET),
                stamps.getOrDefault(Marks.CHARGED_QUEUE, ""),
                stamps.getOrDefault(Marks.NODE_CLASS, ""));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
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
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod that names a queue itself: a gang of one, and its own record. The gate stands for the switch that jobs have: with it
 * the pod waits, and once it is gone nothing brings it back, so a stop is the pod's deletion. Whoever made the pod (a
 * Deployment, a StatefulSet) makes another one, which waits at the gate like any other.
 */
public final class PlainPods implements JobReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AT = "pod";

    @Override
    public KindName name() {
        return KindName.POD;
    }

    /** Whether the pod is a gang of one. */
    public static boolean isGang(HasMetadata pod) {
        return "true".equals(JobMarks.labels(pod.getMetadata()).get(Marks.POD_GANG));
    }

    /** Whether Muster's gate is on the pod. */
    static boolean isGated(Pod pod) {
        return gates(pod).contains(Marks.GATE);
    }

    @Override
    public GangReading read(HasMetadata job, Surroundings surroundings) {
        Pod pod = (Pod) job;
        Problems problems = new Problems();
        GangStatus status = GangStatusReader.read(pod.getMetadata(), said(pod), problems);
        if (pod.getSpec() == null) {
            problems.add("spec is missing: a pod needs containers");
            return GangReader.unreadable(pod.getMetadata(), problems.all(), status);
        }
        Gang gang = gang(pod, surroundings, problems);
        if (!problems.isEmpty()) {
            return GangReader.unreadable(pod.getMetadata(), problems.all(), status);
        }
        Waiting waiting = status.admission() == null && status.end() == End.NOT_YET ? waiting(pod, status) : null;
        return waiting == null
                ? new GangReading.Readable(gang, status)
                : GangReader.blocked(pod.getMetadata(), waiting, status);
    }

    @Override
    public GangStatus status(HasMetadata job) {
        return GangStatusReader.read(job.getMetadata(), said((Pod) job), new Problems());
    }

    @Override
    public Optional<Member> member(HasMetadata job, JsonNode pod) {
        return Optional.of(new Member(GangReader.PODSET, false, null));
    }

    @Override
    public String patch(HasMetadata job, JobChange change, Writing as) {
        return PodGangPatches.of(JSON.valueToTree(job), change, as);
    }

    private static Gang gang(Pod pod, Surroundings surroundings, Problems problems) {
        JobMarks marks = new JobMarks(pod.getMetadata(), problems);
        Template template = new Template(GangReader.PODSET, AT, pod.getMetadata(), unbound(pod), 1, false);
        String namespace = pod.getMetadata().getNamespace();
        PodSet podset = PodSets.read(template, marks, namespace == null ? "" : namespace, surroundings, problems);
        return GangReader.gang(
                pod.getMetadata(),
                marks,
                List.of(podset),
                List.of(template),
                surroundings,
                pod.getSpec().getActiveDeadlineSeconds());
    }

    /** What it asks, without the node that it was given; a gated one can have none. */
    static PodSpec unbound(Pod pod) {
        return isGated(pod) || pod.getSpec().getNodeName() == null
                ? pod.getSpec()
                : new PodBuilder(pod)
                        .editSpec()
                        .withNodeName(null)
                        .endSpec()
                        .build()
                        .getSpec();
    }

    private static @Nullable Waiting waiting(Pod pod, GangStatus status) {
        List<String> foreign = foreignGates(pod);
        if (!status.suspended()) {
            return new Waiting(
                    Reason.OVERRIDDEN,
                    "Somebody else took the gate " + Marks.GATE
                            + " away: the pod runs without a decision of Muster's, is"
                            + " charged to its queue, and is not stopped.",
                    "Delete it if it is not meant to run; a new one waits in the queue.");
        }
        return foreign.isEmpty() ? null : foreignGate("the pod", foreign);
    }

    /** Gates on the pod that are not Muster's. */
    static List<String> foreignGates(Pod pod) {
        return gates(pod).stream().filter(gate -> !Marks.GATE.equals(gate)).toList();
    }

    /** What a pod waits for that others hold back too. */
    static Waiting foreignGate(String whose, List<String> gates) {
        return new Waiting(
                Reason.FOREIGN_GATE,
                "On " + whose + (gates.size() == 1 ? " is the scheduling gate " : " are the scheduling gates ")
                        + String.join(", ", gates)
                        + " of somebody else's; a place is given when no gate but Muster's is left.",
                "It holds no quota meanwhile. Ask whoever set the gate: it goes when they have finished.");
    }

    private static GangStatusReader.Said said(Pod pod) {
        boolean waits = isGated(pod);
        String phase =
                pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
        End end = phase.equals("Succeeded") ? End.SUCCEEDED : phase.equals("Failed") ? End.FAILED : End.NOT_YET;
        return new GangStatusReader.Said(
                waits,
                waits ? Acknowledged.NO : Acknowledged.YES,
                waits || end != End.NOT_YET ? 0 : 1,
                0,
                Map.of(),
                end);
    }

    private static List<String> gates(Pod pod) {
        return pod.getSpec() == null
                ? List.of()
                : Present.in(pod.getSpec().getSchedulingGates()).stream()
                        .map(PodSchedulingGate::getName)
                        .toList();
    }
}

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
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        if (status.admission() == null) {
            gateProblems(pod, status, problems);
        }
        if (pod.getSpec() == null) {
            problems.add("spec is missing: a pod needs containers");
            return GangReader.unreadable(pod.getMetadata(), problems.all(), status);
        }
        Gang gang = gang(pod, surroundings, problems);
        return problems.isEmpty()
                ? new GangReading.Readable(gang, status)
                : GangReader.unreadable(pod.getMetadata(), problems.all(), status);
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
    private static PodSpec unbound(Pod pod) {
        return isGated(pod) || pod.getSpec().getNodeName() == null
                ? pod.getSpec()
                : new PodBuilder(pod)
                        .editSpec()
                        .withNodeName(null)
                        .endSpec()
                        .build()
                        .getSpec();
    }

    private static void gateProblems(Pod pod, GangStatus status, Problems problems) {
        List<String> others =
                gates(pod).stream().filter(gate -> !Marks.GATE.equals(gate)).toList();
        if (!status.suspended()) {
            problems.add("somebody else took the gate " + Marks.GATE
                    + " away: the pod runs outside of its queue, and is not stopped. Maybe delete it");
        } else if (!others.isEmpty()) {
            problems.add(
                    "spec.schedulingGates",
                    String.join(", ", others),
                    "a pod gets its place when no gate but Muster's is left",
                    "whoever set it has not finished");
        }
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

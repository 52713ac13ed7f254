package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.NodeClass;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.PodPlacement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a pod of an admitted gang its place while it is created. The pod is known by the UID of its controller alone: at
 * this moment it has neither a name nor a UID. In every doubt it stays as it is, gated, and is placed later by a patch.
 */
public final class PlacePod {
    private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";

    private PlacePod() {}

    /** Decides about the creation of a pod. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        JsonNode pod = asked.object();
        if (!asked.creates() || !asked.user().equals(JOB_CONTROLLER) || !Asked.isManaged(pod) || !isGated(pod)) {
            return Verdict.ALLOWED;
        }
        String owner = controllingJob(pod);
        StoredGang gang = owner == null ? null : facts.gang(owner).orElse(null);
        Admission admission = gang == null ? null : gang.placing();
        if (owner == null || gang == null || admission == null) {
            return Verdict.ALLOWED;
        }
        Optional<PodSetPlace> place = admission.podsets().stream()
                .filter(candidate -> candidate.podset().equals(GangReader.PODSET))
                .findFirst();
        Optional<NodeClass> nodeClass = place.flatMap(at -> facts.nodeClasses().stream()
                .filter(candidate -> candidate.name().equals(at.nodeClass()))
                .findFirst());
        Integer rank = PodPlacement.rank(gang.ranked(), pod);
        boolean fits = place.isPresent()
                && (rank == null
                        ? !gang.ranked() && place.get().count() > 0
                        : rank < place.get().count());
        return fits && nodeClass.isPresent()
                ? Verdict.changed(PodPlacement.patch(
                        pod, place.get(), owner, gang.queue(), nodeClass.get().tolerations(), rank))
                : Verdict.ALLOWED;
    }

    private static boolean isGated(JsonNode pod) {
        for (JsonNode gate : pod.at("/spec/schedulingGates")) {
            if (Marks.GATE.equals(gate.path("name").asText())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String controllingJob(JsonNode pod) {
        for (JsonNode owner : pod.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean()
                    && owner.path("kind").asText().equals("Job")
                    && owner.path("apiVersion").asText().startsWith("batch/")
                    && !owner.path("uid").asText().isEmpty()) {
                return owner.path("uid").asText();
            }
        }
        return null;
    }
}

package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.NodeClass;
import dev.muster.jobs.Member;
import dev.muster.jobs.PodPlacement;
import dev.muster.kinds.KindName;
import dev.muster.kinds.Kinds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a pod of an admitted gang its place while it is created. The pod is known by the UID of its controller alone: at
 * this moment it has neither a name nor a UID. In every doubt it stays as it is, gated, and is placed later by a patch.
 */
public final class PlacePod {
    private PlacePod() {}

    /** Decides about the creation of a pod. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        JsonNode pod = asked.object();
        if (!asked.creates()
                || !facts.kinds().makers().contains(asked.user())
                || !Asked.isManaged(pod)
                || !isGated(pod)) {
            return Verdict.ALLOWED;
        }
        String owner = controllingJob(pod, facts.kinds());
        StoredGang gang = owner == null ? null : facts.gang(owner).orElse(null);
        Admission admission = gang == null ? null : gang.placing();
        Member member =
                gang == null || owner == null ? null : facts.member(owner, pod).orElse(null);
        if (owner == null || gang == null || admission == null || member == null) {
            return Verdict.ALLOWED;
        }
        Optional<PodSetPlace> place = admission.podsets().stream()
                .filter(candidate -> candidate.podset().equals(member.podset()))
                .findFirst();
        Optional<NodeClass> nodeClass = place.flatMap(at -> facts.nodeClasses().stream()
                .filter(candidate -> candidate.name().equals(at.nodeClass()))
                .findFirst());
        Integer rank = member.rank();
        boolean fits = place.isPresent()
                && (rank == null
                        ? !member.ranked() && place.get().count() > 0
                        : rank < place.get().count());
        return fits && nodeClass.isPresent()
                ? Verdict.changed(PodPlacement.patch(
                        pod,
                        place.get(),
                        new PodPlacement.Stamps(owner, gang.queue(), admission.attempt()),
                        nodeClass.get().tolerations(),
                        rank))
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

    /** UID of the job that controls the pod itself; one further up is found later, when the pod is placed by a patch. */
    private static @Nullable String controllingJob(JsonNode pod, Kinds kinds) {
        for (JsonNode owner : pod.at("/metadata/ownerReferences")) {
            String apiVersion = owner.path("apiVersion").asText();
            String kind = owner.path("kind").asText();
            if (owner.path("controller").asBoolean()
                    && (KindName.JOB.isOwner(apiVersion, kind)
                            || kinds.named(apiVersion, kind).isPresent())
                    && !owner.path("uid").asText().isEmpty()) {
                return owner.path("uid").asText();
            }
        }
        return null;
    }
}

package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.JobChange;
import dev.muster.jobs.JobReader.Writing;
import java.time.Instant;
import java.util.Map;

/**
 * The merge patches that Muster writes on a pod that is a gang of one, or a member of a group. An admission is one of them and carries everything: the
 * admission itself, the place, the stamps, and the gate away. A stop notes why and when; the deletion comes after it.
 */
final class PodGangPatches {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PodGangPatches() {}

    /** The change as a patch of this stored pod; throws if an admission has no place for it. */
    static String of(JsonNode pod, JobChange change, Writing as) {
        return of(pod, GangReader.PODSET, pod.at("/metadata/uid").asText(), change, as);
    }

    /** The same of a pod that is a member of this podset of this gang. */
    static String of(JsonNode pod, String podset, String gangUid, JobChange change, Writing as) {
        String patch = JobPatches.of(change, as.resourceVersion(), as.fence(), as.now());
        if (change instanceof JobChange.Admit admit) {
            ObjectNode tree = withoutSwitch(patch);
            place(
                    tree,
                    pod,
                    admit.admission().attempt(),
                    admit.admission().podsets().stream()
                            .filter(place -> place.podset().equals(podset))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("the admission has no place for the pod")),
                    gangUid,
                    as);
            return tree.toString();
        }
        if (change instanceof JobChange.Stop) {
            ObjectNode tree = withoutSwitch(patch);
            // should the deletion after it be lost, this says that it is due
            tree.withObject("/metadata/annotations")
                    .put(Marks.STOP_AT, Instant.ofEpochMilli(as.now()).toString())
                    .putNull(Marks.CLAIM); // a pod that is deleted gets no other place
            return tree.toString();
        }
        return patch;
    }

    private static ObjectNode withoutSwitch(String patch) {
        try {
            ObjectNode tree = (ObjectNode) JSON.readTree(patch);
            tree.remove("spec");
            return tree;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a patch of our own is no JSON", e);
        }
    }

    /** Operations on whole fields of a pod that has not changed since say the same as a merge patch. */
    private static void place(
            ObjectNode tree, JsonNode pod, int attempt, PodSetPlace place, String gangUid, Writing as) {
        String queue = pod.at("/metadata/labels").path(Marks.QUEUE).asText();
        for (Map<String, Object> operation : PodPlacement.patch(
                pod,
                place,
                new PodPlacement.Stamps(gangUid, queue, attempt),
                as.tolerations().apply(place.nodeClass()),
                null)) {
            JsonPointer path = JsonPointer.compile(String.valueOf(operation.get("path")));
            if ("test".equals(operation.get("op"))) {
                continue; // the resourceVersion is the precondition
            }
            ObjectNode parent = path.head().matches() ? tree : tree.withObject(path.head());
            String field = path.last().getMatchingProperty();
            JsonNode value = JSON.valueToTree(operation.get("value"));
            if (parent.get(field) instanceof ObjectNode there && value instanceof ObjectNode more) {
                there.setAll(more);
            } else {
                parent.set(field, value);
            }
        }
    }
}

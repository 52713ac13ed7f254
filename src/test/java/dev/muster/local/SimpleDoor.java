package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.jobs.AdmissionText;
import dev.muster.jobs.PodPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A door that does what the cluster needs of one and no more: suspends jobs on create, keeps them as they are, places pods. */
final class SimpleDoor implements Door {
    private final Function<String, java.util.Optional<ObjectNode>> jobByUid;
    final List<JsonNode> asked = new ArrayList<>();

    SimpleDoor(Function<String, java.util.Optional<ObjectNode>> jobByUid) {
        this.jobByUid = jobByUid;
    }

    @Override
    public Answer ask(Question question, JsonNode request) {
        asked.add(request);
        JsonNode object = request.path("object");
        return switch (question) {
            case MUTATE_JOB -> mutate(object, request.path("oldObject"));
            case PLACE_POD -> place(object);
            default ->
                object.path("metadata").path("name").asText().startsWith("bad")
                        ? new Answer(false, "bad names are not welcome", List.of("this one is bad"), List.of())
                        : Answer.ALLOWED;
        };
    }

    private static Answer mutate(JsonNode job, JsonNode before) {
        List<Map<String, Object>> patch = new ArrayList<>();
        if (before.isNull()) {
            patch.add(add("/spec/suspend", true));
            patch.add(add("/metadata/labels/muster.dev~1managed", "true"));
            if (!job.path("spec").path("template").has("metadata")) {
                patch.add(add("/spec/template/metadata", Map.of()));
            }
            patch.add(add("/spec/template/metadata/labels", Map.of(Marks.MANAGED, "true")));
            patch.add(add("/spec/template/spec/schedulingGates", List.of(Map.of("name", Marks.GATE))));
        } else {
            patch.add(add("/spec/suspend", before.path("spec").path("suspend").asBoolean()));
        }
        return new Answer(true, "", List.of(), patch);
    }

    private Answer place(JsonNode pod) {
        ObjectNode job = jobByUid.apply(Pods.owner(pod)).orElseThrow();
        String text =
                job.path("metadata").path("annotations").path(Marks.ADMISSION).asText("");
        if (text.isEmpty()) {
            return Answer.ALLOWED;
        }
        Admission admission = AdmissionText.read(text);
        return new Answer(
                true,
                "",
                List.of(),
                PodPlacement.patch(
                        pod,
                        admission.podsets().get(0),
                        new PodPlacement.Stamps(
                                Pods.owner(pod),
                                job.path("metadata")
                                        .path("labels")
                                        .path(Marks.QUEUE)
                                        .asText(),
                                admission.attempt()),
                        List.of(new dev.muster.core.model.Toleration(
                                "nvidia.com/gpu", "present", dev.muster.core.model.Taint.Effect.NO_SCHEDULE)),
                        PodPlacement.rank(true, pod)));
    }

    private static Map<String, Object> add(String path, Object value) {
        return Map.of("op", "add", "path", path, "value", value);
    }
}

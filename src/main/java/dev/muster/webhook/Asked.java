package dev.muster.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.muster.api.Marks;
import dev.muster.jobs.Problems;
import java.util.Optional;

/** An admission request, opened: who asks for what, on which object. */
record Asked(JsonNode request) {
    /** The account that Muster itself writes with. */
    static final String MUSTER = "system:serviceaccount:muster-system:muster";

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    boolean creates() {
        return "CREATE".equals(request.path("operation").asText());
    }

    boolean updates() {
        return "UPDATE".equals(request.path("operation").asText());
    }

    String user() {
        return request.path("userInfo").path("username").asText();
    }

    /** The object as it would be stored. */
    JsonNode object() {
        return request.path("object");
    }

    /** The object as it is stored; missing on create. */
    JsonNode old() {
        return request.path("oldObject");
    }

    /** Whether the object is on its way out; then nothing may stand in its way. */
    boolean isLeaving() {
        return object().path("metadata").path("deletionTimestamp").isTextual();
    }

    static boolean isManaged(JsonNode object) {
        return "true"
                .equals(object.path("metadata")
                        .path("labels")
                        .path(Marks.MANAGED)
                        .asText());
    }

    /** Whether the pod names a queue itself, and is no member of a gang. */
    static boolean isPodGang(JsonNode pod) {
        return isSubmitted(pod) && !pod.path("metadata").path("labels").has(Marks.MANAGED);
    }

    static boolean isSubmitted(JsonNode object) {
        return object.path("metadata").path("labels").has(Marks.QUEUE);
    }

    /** The tree as a Kubernetes object; empty, and noted, when it has another form. */
    static <T> Optional<T> as(Class<T> type, JsonNode tree, Problems problems) {
        try {
            if (tree.path("metadata").isObject()) {
                return Optional.of(JSON.treeToValue(tree, type));
            }
            problems.add("the request carries no " + type.getSimpleName() + " with metadata");
        } catch (JsonProcessingException | IllegalArgumentException otherForm) {
            problems.add("the object is no " + type.getSimpleName() + where(otherForm));
        }
        return Optional.empty();
    }

    /** The field that has another form. The reader's own message is left out: it speaks of classes. */
    private static String where(Exception otherForm) {
        if (!(otherForm instanceof JsonMappingException mapping)
                || mapping.getPath().isEmpty()) {
            return ": it has another form";
        }
        StringBuilder field = new StringBuilder();
        for (JsonMappingException.Reference step : mapping.getPath()) {
            if (step.getFieldName() == null) {
                field.append('[').append(step.getIndex()).append(']');
            } else {
                field.append(field.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return ": the field " + Problems.quote(field.toString()) + " has a value of another kind than it should."
                + " Maybe see kubectl explain";
    }
}

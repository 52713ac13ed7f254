package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * An admission as the text of its annotation: one line of JSON with a version, nodes as {@code ["name",members]} pairs,
 * since a large gang has thousands of them. Fields that this version does not know are passed over, so a newer writer may
 * add some; a record whose known fields are missing or odd is refused whole.
 */
public final class AdmissionText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AdmissionText() {}

    /** The text of the annotation. */
    public static String write(Admission admission) {
        ObjectNode out = JSON.createObjectNode();
        out.put("version", admission.version());
        out.put("attempt", admission.attempt());
        out.put("admittedAt", admission.admittedAt());
        if (!admission.yieldsTo().isEmpty()) {
            admission.yieldsTo().forEach(out.putArray("yieldsTo")::add);
        }
        ArrayNode podsets = out.putArray("podsets");
        for (PodSetPlace place : admission.podsets()) {
            ObjectNode one = podsets.addObject();
            one.put("podset", place.podset());
            one.put("nodeClass", place.nodeClass());
            ObjectNode perMember = one.putObject("perMember");
            place.perMember().byResource().forEach(perMember::put);
            ArrayNode nodes = one.putArray("nodes");
            place.nodes().forEach(slots -> nodes.addArray().add(slots.node()).add(slots.members()));
        }
        return out.toString();
    }

    /**
     * The admission of an annotation.
     *
     * @throws IllegalArgumentException if the text is none; the message says where
     */
    public static Admission read(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the admission is no JSON. Maybe it was written by hand", e);
        }
        if (root == null || !root.isObject()) {
            throw new IllegalArgumentException("the admission is no JSON object. Maybe it was written by hand");
        }
        List<PodSetPlace> podsets = new ArrayList<>();
        for (JsonNode place : list(root, "podsets")) {
            podsets.add(place(place));
        }
        List<String> yieldsTo = new ArrayList<>();
        root.path("yieldsTo").forEach(uid -> yieldsTo.add(uid.asText()));
        return new Admission(
                (int) number(root, "version", 1, Integer.MAX_VALUE),
                (int) number(root, "attempt", 1, Integer.MAX_VALUE),
                number(root, "admittedAt", 0, Long.MAX_VALUE),
                podsets,
                yieldsTo);
    }

    private static PodSetPlace place(JsonNode place) {
        TreeMap<String, Long> perMember = new TreeMap<>();
        place.path("perMember")
                .fieldNames()
                .forEachRemaining(resource ->
                        perMember.put(resource, number(place.path("perMember"), resource, 0, Amounts.LARGEST)));
        List<NodeSlots> nodes = new ArrayList<>();
        long members = 0;
        for (JsonNode pair : list(place, "nodes")) {
            if (!pair.isArray() || !pair.path(0).isTextual() || pair.path(1).asInt() < 1) {
                throw new IllegalArgumentException("a node of the admission is not [name, members]: " + pair);
            }
            nodes.add(new NodeSlots(pair.path(0).asText(), pair.path(1).asInt()));
            members += pair.path(1).asInt();
        }
        if (members > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the admission names " + members + " members, more than a job can have");
        }
        return new PodSetPlace(text(place, "podset"), text(place, "nodeClass"), new Amounts(perMember), nodes);
    }

    private static String text(JsonNode in, String field) {
        if (!in.path(field).isTextual()) {
            throw new IllegalArgumentException("the admission has no text in " + field);
        }
        return in.path(field).asText();
    }

    private static JsonNode list(JsonNode in, String field) {
        if (!in.path(field).isArray()) {
            throw new IllegalArgumentException("the admission has no list " + field);
        }
        return in.path(field);
    }

    private static long number(JsonNode in, String field, long least, long most) {
        JsonNode number = in.path(field);
        if (!number.isIntegralNumber() || !number.canConvertToLong()) {
            throw new IllegalArgumentException("the admission has no whole number in " + field);
        }
        long value = number.asLong();
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "the admission's " + field + " is " + value + ", not " + least + " to " + most);
        }
        return value;
    }
}

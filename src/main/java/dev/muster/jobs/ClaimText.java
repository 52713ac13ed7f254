package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A claim as the text of its annotation: its place in the form of an admission, the UIDs of its victims, and the new places of those that move. */
final class ClaimText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ClaimText() {}

    static String write(Claim claim) {
        ObjectNode out = JSON.createObjectNode();
        out.put("version", 1);
        out.put("place", AdmissionText.write(claim.place()));
        ArrayNode victims = out.putArray("victims");
        claim.victims().forEach(victims::add);
        if (!claim.moves().isEmpty()) {
            ObjectNode moves = out.putObject("moves");
            new TreeMap<>(claim.moves()).forEach((uid, to) -> moves.put(uid, AdmissionText.write(to)));
        }
        return out.toString();
    }

    /**
     * The claim of an annotation.
     *
     * @throws IllegalArgumentException if the text is none; the message says why
     */
    static Claim read(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the claim is no JSON. Maybe it was written by hand", e);
        }
        if (root == null
                || !root.path("place").isTextual()
                || !root.path("victims").isArray()) {
            throw new IllegalArgumentException("the claim has no place or no victims. Maybe it was written by hand");
        }
        List<String> victims = new ArrayList<>();
        root.path("victims").forEach(victim -> victims.add(victim.asText()));
        Map<String, Admission> moves = new HashMap<>();
        root.path("moves")
                .fields()
                .forEachRemaining(one -> moves.put(
                        one.getKey(), AdmissionText.read(one.getValue().asText())));
        return new Claim(AdmissionText.read(root.path("place").asText()), victims, moves);
    }
}

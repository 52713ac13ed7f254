package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Claim;
import java.util.ArrayList;
import java.util.List;

/** A claim as the text of its annotation: its place in the form of an admission, and the UIDs of its victims. */
final class ClaimText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ClaimText() {}

    static String write(Claim claim) {
        ObjectNode out = JSON.createObjectNode();
        out.put("version", 1);
        out.put("place", AdmissionText.write(claim.place()));
        ArrayNode victims = out.putArray("victims");
        claim.victims().forEach(victims::add);
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
        return new Claim(AdmissionText.read(root.path("place").asText()), victims);
    }
}

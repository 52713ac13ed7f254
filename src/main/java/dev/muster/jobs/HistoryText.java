package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What happened to a gang before, as the text of its annotation. Fields that this version does not know are passed over. */
final class HistoryText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HistoryText() {}

    static String write(int evictions) {
        return JSON.createObjectNode()
                .put("version", 1)
                .put("evictions", evictions)
                .toString();
    }

    /**
     * How often the gang was stopped before.
     *
     * @throws IllegalArgumentException if the text is no history
     */
    static int evictions(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the history is no JSON. Maybe it was written by hand", e);
        }
        JsonNode evictions = root == null ? null : root.path("evictions");
        if (evictions == null || !evictions.canConvertToInt() || evictions.asInt() < 0) {
            throw new IllegalArgumentException("the history has no whole number of evictions from 0 on");
        }
        return evictions.asInt();
    }
}

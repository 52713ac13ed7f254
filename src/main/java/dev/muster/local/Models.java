package dev.muster.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Trees as objects of the model classes, and back. */
final class Models {
    static final ObjectMapper JSON =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private Models() {}

    /**
     * The tree as an object.
     *
     * @throws IllegalArgumentException if it has another form; stored trees have the right one, they were read strictly
     */
    static <T> T read(JsonNode tree, Class<T> type) {
        try {
            return JSON.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /** A text that holds a JSON object. */
    static ObjectNode object(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }
}

package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A question to one field of an object: does it have one of these values?
 *
 * @param values as text; the empty text stands for a field that is not there
 * @param unless whether it holds when the field has none of them
 */
public record FieldTest(FieldPath field, List<String> values, boolean unless) {
    public FieldTest {
        values = List.copyOf(values);
    }

    /** Whether it holds. */
    public boolean holds(JsonNode root) {
        return values.contains(value(root)) != unless;
    }

    /** The field's value as text; empty when it is not there. */
    public String value(JsonNode root) {
        JsonNode value = field.in(root);
        return value.isContainerNode() ? value.toString() : value.asText("");
    }
}

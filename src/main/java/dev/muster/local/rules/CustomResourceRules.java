package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** The schema and the rules of one CustomResourceDefinition: gives absent fields their defaults and finds what is refused. */
public final class CustomResourceRules {
    private final String kind;
    private final JsonNode schema;
    private final SchemaRules rules;

    /**
     * The rules of a definition, as it is applied to a cluster.
     *
     * @param definition with exactly one version
     */
    CustomResourceRules(JsonNode definition, Cel cel) {
        rules = new SchemaRules(cel);
        JsonNode spec = definition.path("spec");
        kind = spec.path("names").path("kind").asText();
        schema = spec.path("versions").path(0).path("schema").path("openAPIV3Schema");
        rules.compile(schema);
    }

    /** The kind that is defined. */
    public String kind() {
        return kind;
    }

    /** Gives absent fields their defaults, in place. */
    public void applyDefaults(ObjectNode object) {
        defaults(object, schema);
    }

    /** What an API server would refuse, one sentence each, such as {@code spec.owner: Required value}; empty when nothing. */
    public List<String> check(ObjectNode object) {
        List<String> problems = new ArrayList<>();
        SchemaCheck.check(object, schema, "", problems);
        if (problems.isEmpty()) { // as there: rules are asked only about objects of the right form
            rules.check(object, schema, "", problems);
        }
        return problems;
    }

    private static void defaults(JsonNode node, JsonNode schema) {
        if (node instanceof ObjectNode object) {
            schema.path("properties").properties().forEach(entry -> {
                JsonNode value = entry.getValue().get("default");
                if (value != null && !object.has(entry.getKey())) {
                    object.set(entry.getKey(), value.deepCopy());
                }
                if (object.has(entry.getKey())) {
                    defaults(object.get(entry.getKey()), entry.getValue());
                }
            });
        } else if (node.isArray()) {
            node.forEach(item -> defaults(item, schema.path("items")));
        }
    }
}

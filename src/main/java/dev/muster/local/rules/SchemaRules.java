package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code x-kubernetes-validations} of a schema, at every depth. */
final class SchemaRules {
    private final Cel cel;
    private final Map<JsonNode, List<Rule>> rules = new IdentityHashMap<>();

    private record Rule(Cel.Expression holds, String message, Cel.@Nullable Expression spoken) {}

    SchemaRules(Cel cel) {
        this.cel = cel;
    }

    /** Compiles every rule of the schema and of what lies below it. */
    void compile(JsonNode schema) {
        List<Rule> own = new ArrayList<>();
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            JsonNode spoken = rule.get("messageExpression");
            own.add(new Rule(
                    cel.compile(rule.path("rule").asText()),
                    rule.path("message")
                            .asText("failed rule: " + rule.path("rule").asText()),
                    spoken == null ? null : cel.compile(spoken.asText())));
        }
        if (!own.isEmpty()) {
            rules.put(schema, own);
        }
        schema.path("properties").forEach(this::compile);
        if (schema.path("items").isObject()) {
            compile(schema.path("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            compile(schema.path("additionalProperties"));
        }
    }

    void check(JsonNode node, JsonNode schema, String path, List<String> problems) {
        for (Rule rule : rules.getOrDefault(schema, List.of())) {
            Map<String, Object> variables = Map.of("self", Cel.toCel(node));
            try {
                if (!rule.holds().holds(variables)) {
                    problems.add(path + ": Invalid value: " + message(rule, variables));
                }
            } catch (Cel.RuleFailed e) {
                problems.add(path + ": Invalid value: " + e.getMessage());
            }
        }
        if (node.isObject()) {
            node.properties().forEach(entry -> {
                JsonNode field = schema.path("properties").path(entry.getKey());
                JsonNode below = field.isMissingNode() ? schema.path("additionalProperties") : field;
                check(entry.getValue(), below, SchemaCheck.join(path, entry.getKey()), problems);
            });
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), schema.path("items"), path + "[" + i + "]", problems);
            }
        }
    }

    private static String message(Rule rule, Map<String, Object> variables) throws Cel.RuleFailed {
        return rule.spoken() == null
                ? rule.message()
                : String.valueOf(rule.spoken().value(variables));
    }
}

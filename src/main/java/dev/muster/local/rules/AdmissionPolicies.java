package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ValidatingAdmissionPolicies for jobs, read from the files that a cluster gets. Policies with parameters, and those
 * for other objects, are left out: they confine Muster's own token, and nobody holds one here.
 */
public final class AdmissionPolicies {
    private final List<Policy> policies = new ArrayList<>();

    private record Named(String name, Cel.Expression expression) {}

    private record Policy(
            String name,
            JsonNode constraints,
            List<Named> conditions,
            List<Named> variables,
            List<Named> validations) {}

    /** The policies among the given objects; others are passed over. */
    AdmissionPolicies(List<ObjectNode> objects, Cel cel) {
        for (ObjectNode object : objects) {
            JsonNode spec = object.path("spec");
            if (object.path("kind").asText().equals("ValidatingAdmissionPolicy")
                    && !spec.has("paramKind")
                    && isForJobs(spec.path("matchConstraints"))) {
                policies.add(new Policy(
                        object.path("metadata").path("name").asText(),
                        spec.path("matchConstraints"),
                        compile(cel, spec.path("matchConditions"), "name"),
                        compile(cel, spec.path("variables"), "name"),
                        compile(cel, spec.path("validations"), "message")));
            }
        }
    }

    /**
     * The first refusal.
     *
     * @param operation {@code CREATE} or {@code UPDATE}
     * @param before the stored job; null on create
     * @param user name of who asks
     * @return the sentence that an API server would give; empty when no policy refuses
     */
    public Optional<String> refusal(String operation, JsonNode job, @Nullable JsonNode before, String user) {
        for (Policy policy : policies) {
            if (!matches(policy.constraints(), operation, job, before)) {
                continue;
            }
            Map<String, Object> values = new HashMap<>();
            values.put("object", Cel.toCel(job));
            values.put("oldObject", Cel.toCel(before));
            values.put("request", Map.of("operation", operation, "userInfo", Map.of("username", user)));
            Optional<String> refusal = judge(policy, values);
            if (refusal.isPresent()) {
                return Optional.of("ValidatingAdmissionPolicy '" + policy.name() + "' with binding '" + policy.name()
                        + "' denied request: " + refusal.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> judge(Policy policy, Map<String, Object> values) {
        try {
            for (Named condition : policy.conditions()) {
                if (!condition.expression().holds(values)) {
                    return Optional.empty();
                }
            }
            Map<String, Object> variables = new LinkedHashMap<>();
            values.put("variables", variables);
            for (Named variable : policy.variables()) {
                variables.put(variable.name(), variable.expression().value(values));
            }
            for (Named validation : policy.validations()) {
                if (!validation.expression().holds(values)) {
                    return Optional.of(validation.name());
                }
            }
            return Optional.empty();
        } catch (Cel.RuleFailed e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<Named> compile(Cel cel, JsonNode expressions, String name) {
        List<Named> compiled = new ArrayList<>();
        for (JsonNode expression : expressions) {
            String text = expression.path("expression").asText();
            compiled.add(new Named(expression.path(name).asText("failed expression: " + text), cel.compile(text)));
        }
        return compiled;
    }

    private static boolean isForJobs(JsonNode constraints) {
        return has(constraints, "jobs", "resources");
    }

    private static boolean has(JsonNode constraints, String value, String field) {
        return StreamSupport.stream(constraints.path("resourceRules").spliterator(), false)
                .flatMap(rule -> StreamSupport.stream(rule.path(field).spliterator(), false))
                .anyMatch(item -> item.asText().equals(value));
    }

    private static boolean matches(JsonNode constraints, String operation, JsonNode job, @Nullable JsonNode before) {
        return has(constraints, operation, "operations")
                && (selects(constraints.path("objectSelector"), job)
                        || before != null && selects(constraints.path("objectSelector"), before));
    }

    /** A label selector of which only Exists and exact labels are in use. */
    private static boolean selects(JsonNode selector, JsonNode object) {
        JsonNode labels = object.path("metadata").path("labels");
        for (JsonNode term : selector.path("matchExpressions")) {
            if (!labels.has(term.path("key").asText())) {
                return false;
            }
        }
        return selector.path("matchLabels").properties().stream()
                .allMatch(entry -> labels.path(entry.getKey()).equals(entry.getValue()));
    }
}

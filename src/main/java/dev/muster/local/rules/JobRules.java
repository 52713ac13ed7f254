package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.DurationText;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** What an API server itself refuses of a job, as far as manifests usually get it wrong; its messages, one each. */
public final class JobRules {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    private static final Set<String> RESTART = Set.of("OnFailure", "Never");

    private JobRules() {}

    /** Annotation on a pod template: how long a pod runs once it is ready, in virtual time. */
    public static final String RUN_FOR = "local.muster.dev/run-for";

    /** The refusals of a new job; empty when it may be stored. */
    public static List<String> check(ObjectNode job) {
        List<String> problems = new ArrayList<>();
        String name = job.path("metadata").path("name").asText();
        if (name.length() > 63 || !NAME.matcher(name).matches()) {
            problems.add(
                    "metadata.name: Invalid value: \"" + name + "\": a lowercase RFC 1123 subdomain must consist of"
                            + " lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character");
        }
        JsonNode spec = job.path("spec");
        notNegative(spec, "parallelism", problems);
        notNegative(spec, "completions", problems);
        notNegative(spec, "backoffLimit", problems);
        if (spec.path("completionMode").asText().equals("Indexed") && !spec.has("completions")) {
            problems.add("spec.completions: Required value: when completion mode is Indexed");
        }
        pod(spec.path("template").path("spec"), "spec.template.spec", problems);
        runTime(spec.path("template").path("metadata").path("annotations"), problems);
        return problems;
    }

    /** How long pods run here; a real API server does not look at it. */
    private static void runTime(JsonNode annotations, List<String> problems) {
        String text = annotations.path(RUN_FOR).asText("");
        try {
            if (!text.isEmpty()) {
                DurationText.parse(text);
            }
        } catch (IllegalArgumentException noDuration) {
            problems.add("spec.template.metadata.annotations[" + RUN_FOR + "] is '" + text
                    + "': that is no duration. Maybe write it like 90s, 10m or 1h30m");
        }
    }

    private static void notNegative(JsonNode spec, String field, List<String> problems) {
        if (spec.path(field).isNumber() && spec.path(field).longValue() < 0) {
            problems.add(
                    "spec." + field + ": Invalid value: " + spec.path(field) + ": must be greater than or equal to 0");
        }
    }

    private static void pod(JsonNode pod, String path, List<String> problems) {
        String restart = pod.path("restartPolicy").asText("");
        if (restart.isEmpty()
                || restart.equals("Always")) { // the API server fills in Always, and then asks for another
            problems.add(path + ".restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
        } else if (!RESTART.contains(restart)) {
            problems.add(path + ".restartPolicy: Unsupported value: \"" + restart
                    + "\": supported values: \"OnFailure\", \"Never\"");
        }
        JsonNode containers = pod.path("containers");
        if (containers.isEmpty()) {
            problems.add(path + ".containers: Required value");
        }
        for (int i = 0; i < containers.size(); i++) {
            container(containers.get(i), path + ".containers[" + i + "]", problems);
        }
    }

    private static void container(JsonNode container, String path, List<String> problems) {
        for (String field : List.of("name", "image")) {
            if (container.path(field).asText("").isEmpty()) {
                problems.add(path + "." + field + ": Required value");
            }
        }
        JsonNode limits = container.path("resources").path("limits");
        JsonNode requests = container.path("resources").path("requests");
        for (Map.Entry<String, JsonNode> request : requests.properties()) {
            String resource = request.getKey();
            boolean extended = resource.contains("/");
            JsonNode limit = limits.path(resource);
            String at = path + ".resources.requests";
            if (extended && limit.isMissingNode()) {
                problems.add(
                        path + ".resources.limits: Required value: Limit must be set for non overcommitable resources");
            } else if (!limit.isMissingNode()) {
                OptionalInt compared = compare(request.getValue(), limit);
                int order = compared.orElse(0);
                if (compared.isEmpty()) {
                    problems.add(at + ": Invalid value: \"" + request.getValue().asText() + "\": or its limit \""
                            + limit.asText() + "\" is no quantity");
                } else if (extended && order != 0) {
                    problems.add(at + ": Invalid value: \"" + request.getValue().asText() + "\": must be equal to "
                            + resource + " limit of " + limit.asText());
                } else if (order > 0) {
                    problems.add(at + ": Invalid value: \"" + request.getValue().asText()
                            + "\": must be less than or equal to " + resource + " limit of " + limit.asText());
                }
            }
        }
    }

    /** How a request compares with its limit; empty when either is no quantity. */
    private static OptionalInt compare(JsonNode request, JsonNode limit) {
        try {
            return OptionalInt.of(amount(request).compareTo(amount(limit)));
        } catch (IllegalArgumentException noQuantity) { // a NumberFormatException is one
            return OptionalInt.empty();
        }
    }

    private static BigDecimal amount(JsonNode quantity) {
        return new Quantity(quantity.asText()).getNumericalAmount();
    }
}

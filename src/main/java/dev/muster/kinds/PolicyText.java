package dev.muster.kinds;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Policies and their bindings as YAML. */
final class PolicyText {
    private final StringBuilder yaml = new StringBuilder();

    /** A mutating policy by JSON patch, and its binding. */
    void mutating(
            String name, String comment, String match, List<String> conditions, List<String> variables, String patch) {
        begin("MutatingAdmissionPolicy", name, comment);
        yaml.append("  reinvocationPolicy: IfNeeded\n").append(match);
        list("matchConditions", conditions);
        list("variables", variables);
        yaml.append("  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n      expression: >-\n");
        yaml.append(patch.indent(8));
        bind("MutatingAdmissionPolicyBinding", name, "");
    }

    /** A validating policy and its binding. */
    void validating(
            String name,
            String comment,
            String match,
            List<String> conditions,
            List<String> variables,
            List<Validation> validations) {
        begin("ValidatingAdmissionPolicy", name, comment);
        yaml.append(match);
        list("matchConditions", conditions);
        list("variables", variables);
        yaml.append("  validations:\n");
        for (Validation one : validations) {
            yaml.append("  - expression: >-\n").append(one.expression().indent(6));
            yaml.append(one.tail().indent(4));
        }
        bind("ValidatingAdmissionPolicyBinding", name, "  validationActions: [Deny]\n");
    }

    /**
     * One rule of a policy.
     *
     * @param tail the other fields, as YAML
     */
    record Validation(String expression, String tail) {
        static Validation saying(String expression, String message) {
            return new Validation(expression, "message: \"" + message + "\"");
        }
    }

    private void begin(String kind, String name, String comment) {
        yaml.append("---\n")
                .append(
                        comment.isEmpty()
                                ? ""
                                : comment.indent(0).replaceAll("(?m)^", "# ").stripTrailing() + "\n");
        yaml.append("apiVersion: admissionregistration.k8s.io/v1\nkind: ").append(kind);
        yaml.append("\nmetadata:\n  name: ").append(name).append("\nspec:\n  failurePolicy: Fail\n");
    }

    private void bind(String kind, String name, String more) {
        yaml.append("---\napiVersion: admissionregistration.k8s.io/v1\nkind: ").append(kind);
        yaml.append("\nmetadata:\n  name: ")
                .append(name)
                .append("\nspec:\n  policyName: ")
                .append(name)
                .append("\n");
        yaml.append(more);
    }

    private void list(String field, List<String> entries) {
        if (!entries.isEmpty()) {
            yaml.append("  ").append(field).append(":\n");
            entries.forEach(entry -> yaml.append("  - ").append(entry).append("\n"));
        }
    }

    void raw(String text) {
        yaml.append(text);
    }

    String text() {
        return yaml.toString();
    }

    /** What a policy is asked about. */
    static String match(String selector, String operations, Collection<KindName> kinds, boolean statusToo) {
        return "  matchConstraints:\n" + selector.indent(4) + "    resourceRules:\n"
                + kinds.stream()
                        .map(name -> "    - " + rule(name, operations, statusToo) + "\n")
                        .collect(Collectors.joining());
    }

    static String rule(KindName name, String operations, boolean statusToo) {
        String plural = name.plural();
        return "{apiGroups: [\"" + name.group() + "\"], apiVersions: [" + name.version() + "], operations: ["
                + operations + "], resources: [" + plural + (statusToo ? ", " + plural + "/status" : "") + "]}";
    }

    /** An entry with a name and an expression in one line. */
    static String named(String name, String expression) {
        return CelTemplates.variable(name, expression);
    }
}

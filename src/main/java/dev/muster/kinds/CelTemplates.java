package dev.muster.kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The pod templates and the switch of one kind in CEL, the language of policies: expressions over {@code object}, for
 * patches and for checks. Templates that are not there are passed over; the API server itself says what is missing.
 */
final class CelTemplates {
    private static final String LABEL = "{\"muster.dev/managed\": \"true\"}";
    private static final String HAS_GATE =
            ".spec.?schedulingGates.orValue([]).exists(g, g.name == \"muster.dev/place\")";

    private final GangKind kind;

    CelTemplates(GangKind kind) {
        this.kind = kind;
    }

    /** Variables that the other expressions need: for each repeated podset its container and its keys. */
    List<String> variables() {
        List<String> variables = new ArrayList<>();
        for (int i = 0; i < kind.podsets().size(); i++) {
            PodSetRule.Each each = kind.podsets().get(i).each();
            if (each == null) {
                continue;
            }
            String keys = each.isMap() ? "variables.s%1$d.map(k, k)" : "lists.range(variables.s%1$d.size())";
            variables.add(variable(
                    "s" + i, optional("object", each.path()) + ".orValue(" + (each.isMap() ? "{}" : "[]") + ")"));
            variables.add(variable(
                    "k" + i,
                    keys.formatted(i) + ".filter(k, "
                            + optional(
                                    "variables.s" + i + "[k]",
                                    kind.podsets().get(i).template())
                            + ".?spec.hasValue())"));
        }
        return variables;
    }

    static String variable(String name, String expression) {
        return "{name: " + name + ", expression: '" + expression.replace("'", "''") + "'}";
    }

    /** Operations that give every template the label and the gate, each added to a list with {@code +}. */
    String prepared() {
        return IntStream.range(0, kind.podsets().size())
                .mapToObj(this::prepared)
                .collect(Collectors.joining("\n+ "));
    }

    private String prepared(int i) {
        PodSetRule rule = kind.podsets().get(i);
        PodSetRule.Each each = rule.each();
        String template = template(i);
        if (each == null) {
            String there = optional("object", rule.template()) + ".?spec.hasValue()";
            String at = quoted(rule.template().pointer());
            return "(" + there + " ? [" + label(template, at) + "] : [])\n+ (" + there + " && !(" + template + HAS_GATE
                    + ") ? [" + gate(template, at) + "] : [])";
        }
        String key = each.isMap() ? "jsonpatch.escapeKey(k)" : "string(k)";
        String at = quoted(each.path().pointer() + "/") + " + " + key + " + "
                + quoted(rule.template().pointer());
        return "variables.k" + i + ".map(k,\n    " + label(template, at) + ")\n+ variables.k" + i + ".filter(k, !("
                + template + HAS_GATE + ")).map(k,\n    " + gate(template, at) + ")";
    }

    /** Whether every template has the label. */
    String allLabelled() {
        return all(".?metadata.?labels[?\"muster.dev/managed\"].orValue(\"\") == \"true\"");
    }

    /** Whether every template has the gate. */
    String allGated() {
        return all(".?spec.?schedulingGates.orValue([]).exists_one(g, g.name == \"muster.dev/place\")");
    }

    /** Whether no template has an annotation of Muster's but the wish for topology. */
    String noForeignAnnotations() {
        return all(
                ".?metadata.?annotations.orValue({}).all(a, !a.startsWith(\"muster.dev/\") || a == \"muster.dev/topology\")");
    }

    /** Whether some template of an object has the label; without variables, for conditions, which know none. */
    String anyLabelled(String object) {
        return kind.podsets().stream()
                .map(rule -> {
                    String labels = ".?metadata.?labels.orValue({})";
                    PodSetRule.Each each = rule.each();
                    if (each == null) {
                        return "\"muster.dev/managed\" in " + optional(object, rule.template()) + labels;
                    }
                    String container = optional(object, each.path()) + ".orValue(" + (each.isMap() ? "{}" : "[]") + ")";
                    return each.isMap()
                            ? container + ".exists(k, \"muster.dev/managed\" in "
                                    + optional(plain(object, each.path()) + "[k]", rule.template()) + labels + ")"
                            : container + ".exists(e, \"muster.dev/managed\" in " + optional("e", rule.template())
                                    + labels + ")";
                })
                .collect(Collectors.joining(" || "));
    }

    private String all(String check) {
        return IntStream.range(0, kind.podsets().size())
                .mapToObj(i -> kind.podsets().get(i).each() == null
                        ? "(" + optional("object", kind.podsets().get(i).template()) + check + ")"
                        : "variables.k" + i + ".all(k, " + template(i) + check + ")")
                .collect(Collectors.joining("\n&& "));
    }

    /** Whether what decides the gang's size and shape is as it was. */
    String sameShape() {
        return kind.podsets().stream()
                .flatMap(rule -> rule.each() == null
                        ? Stream.concat(
                                Stream.of(rule.template()),
                                rule.counts().stream()
                                        .map(PodSetRule.Count::field)
                                        .flatMap(Stream::ofNullable))
                        : Stream.of(rule.frozen()))
                .map(path -> optional("object", path) + " == " + optional("oldObject", path))
                .distinct()
                .collect(Collectors.joining("\n&& "));
    }

    /** Whether nothing of the spec but the switch is other than it was. */
    String sameButSuspend() {
        List<String> names = kind.suspend().names();
        List<String> checks = new ArrayList<>();
        for (int i = 1; i < names.size(); i++) {
            FieldPath parent = new FieldPath(names.subList(0, i));
            String now = optional("object", parent) + ".orValue({})";
            String then = optional("oldObject", parent) + ".orValue({})";
            String but = "k == " + quoted(names.get(i));
            checks.add(now + ".all(k, " + but + " || (k in " + then + " && " + then + "[k] == " + now + "[k]))");
            checks.add(then + ".all(k, " + but + " || k in " + now + ")");
        }
        return String.join("\n&& ", checks);
    }

    /** The operation that sets the switch. */
    String suspend(String value) {
        List<String> names = kind.suspend().names();
        StringBuilder operation = new StringBuilder();
        for (int i = 2; i < names.size(); i++) {
            FieldPath parent = new FieldPath(names.subList(0, i));
            StringBuilder nested = new StringBuilder();
            for (int j = i; j < names.size(); j++) {
                nested.append("{").append(quoted(names.get(j))).append(": ");
            }
            nested.append(value).append("}".repeat(names.size() - i));
            operation
                    .append("!has(")
                    .append(plain("object", parent))
                    .append(") ? ")
                    .append(add(quoted(parent.pointer()), nested.toString()))
                    .append("\n: ");
        }
        return operation + add(quoted(kind.suspend().pointer()), value);
    }

    /** The switch's value; false where it is not there. */
    String suspended(String object) {
        return "(" + optional(object, kind.suspend()) + ".orValue(false) == true)";
    }

    private String template(int i) {
        PodSetRule rule = kind.podsets().get(i);
        return rule.each() == null
                ? plain("object", rule.template())
                : plain("variables.s" + i + "[k]", rule.template());
    }

    private static String label(String template, String at) {
        return "!has(" + template + ".metadata) ? " + add(at + " + \"/metadata\"", "{\"labels\": " + LABEL + "}")
                + "\n    : !has(" + template + ".metadata.labels) ? " + add(at + " + \"/metadata/labels\"", LABEL)
                + "\n    : "
                + add(at + " + \"/metadata/labels/\" + jsonpatch.escapeKey(\"muster.dev/managed\")", "\"true\"");
    }

    private static String gate(String template, String at) {
        String gate = "{\"name\": \"muster.dev/place\"}";
        return "!has(" + template + ".spec.schedulingGates) ? "
                + add(at + " + \"/spec/schedulingGates\"", "[" + gate + "]") + "\n    : "
                + add(at + " + \"/spec/schedulingGates/-\"", gate);
    }

    static String add(String path, String value) {
        return "JSONPatch{op: \"add\", path: " + path + ", value: " + value + "}";
    }

    static String quoted(String text) {
        return "\"" + text + "\"";
    }

    /** {@code object.?spec.?suspend}: the value there as an optional one. */
    static String optional(String object, FieldPath path) {
        return object + path.names().stream().map(name -> ".?" + name).collect(Collectors.joining());
    }

    static String plain(String object, FieldPath path) {
        return object + "." + path.text();
    }
}

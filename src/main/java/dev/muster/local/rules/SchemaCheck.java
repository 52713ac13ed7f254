package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Structural schemas, with the messages of an API server. */
final class SchemaCheck {
    private SchemaCheck() {}

    static void check(JsonNode node, JsonNode schema, String path, List<String> problems) {
        if (!hasType(node, schema)) {
            problems.add(path + ": Invalid value: \"" + typeOf(node) + "\": " + path + " in body must be of type "
                    + schema.path("type").asText("integer,string") + ": \"" + typeOf(node) + "\"");
        } else if (node.isObject()) {
            object(node, schema, path, problems);
        } else if (node.isArray()) {
            array(node, schema, path, problems);
        } else if (node.isTextual()) {
            text(node.asText(), schema, path, problems);
        } else if (node.isNumber()) {
            number(node.decimalValue(), schema, path, problems);
        }
    }

    private static boolean hasType(JsonNode node, JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return node.isIntegralNumber() || node.isTextual();
        }
        return switch (schema.path("type").asText("")) {
            case "object" -> node.isObject();
            case "array" -> node.isArray();
            case "string" -> node.isTextual();
            case "boolean" -> node.isBoolean();
            case "integer" -> node.isIntegralNumber();
            case "number" -> node.isNumber();
            default -> true;
        };
    }

    private static String typeOf(JsonNode node) {
        return switch (node.getNodeType()) {
            case NUMBER -> node.isIntegralNumber() ? "integer" : "number";
            default -> node.getNodeType().name().toLowerCase(Locale.ROOT);
        };
    }

    private static void object(JsonNode node, JsonNode schema, String path, List<String> problems) {
        for (JsonNode required : schema.path("required")) {
            if (!node.has(required.asText())) {
                problems.add(join(path, required.asText()) + ": Required value");
            }
        }
        size(node.size(), schema, "Properties", path, problems);
        JsonNode others = schema.path("additionalProperties");
        node.properties().forEach(entry -> {
            JsonNode field = schema.path("properties").path(entry.getKey());
            if (!field.isMissingNode()) {
                check(entry.getValue(), field, join(path, entry.getKey()), problems);
            } else if (others.isObject()) {
                check(entry.getValue(), others, join(path, entry.getKey()), problems);
            }
        });
    }

    private static void array(JsonNode node, JsonNode schema, String path, List<String> problems) {
        size(node.size(), schema, "Items", path, problems);
        for (int i = 0; i < node.size(); i++) {
            check(node.get(i), schema.path("items"), path + "[" + i + "]", problems);
        }
        String listType = schema.path("x-kubernetes-list-type").asText();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < node.size(); i++) {
            String key = listType.equals("map")
                    ? mapKey(node.get(i), schema)
                    : node.get(i).toString();
            if ((listType.equals("map") || listType.equals("set")) && !seen.add(key)) {
                problems.add(path + "[" + i + "]: Duplicate value: " + key);
            }
        }
    }

    private static String mapKey(JsonNode item, JsonNode schema) {
        List<String> parts = new ArrayList<>();
        for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
            parts.add("\"" + key.asText() + "\":" + item.path(key.asText()));
        }
        return "{" + String.join(",", parts) + "}";
    }

    private static void size(int size, JsonNode schema, String what, String path, List<String> problems) {
        JsonNode max = schema.path("max" + what);
        JsonNode min = schema.path("min" + what);
        String unit = what.equals("Items") ? "items" : "properties";
        if (max.isNumber() && size > max.intValue()) {
            problems.add(path + ": Too many: " + size + ": must have at most " + max.intValue() + " " + unit);
        }
        if (min.isNumber() && size < min.intValue()) {
            problems.add(path + ": Invalid value: " + size + ": " + path + " in body should have at least "
                    + min.intValue() + " " + unit);
        }
    }

    private static void text(String text, JsonNode schema, String path, List<String> problems) {
        int length = text.codePointCount(0, text.length());
        JsonNode max = schema.path("maxLength");
        if (max.isNumber() && length > max.intValue()) {
            problems.add(path + ": Too long: may not be more than " + max.intValue() + " bytes");
        }
        JsonNode min = schema.path("minLength");
        if (min.isNumber() && length < min.intValue()) {
            problems.add(path + ": Invalid value: \"" + text + "\": " + path + " in body should be at least "
                    + min.intValue() + " chars long");
        }
        JsonNode pattern = schema.path("pattern");
        if (pattern.isTextual()
                && !Pattern.compile(pattern.asText()).matcher(text).find()) {
            problems.add(path + ": Invalid value: \"" + text + "\": " + path + " in body should match '"
                    + pattern.asText() + "'");
        }
        JsonNode allowed = schema.path("enum");
        if (allowed.isArray() && !contains(allowed, text)) {
            problems.add(path + ": Unsupported value: \"" + text + "\": supported values: "
                    + String.join(
                            ", ",
                            StreamSupport.stream(allowed.spliterator(), false)
                                    .map(value -> "\"" + value.asText() + "\"")
                                    .toList()));
        }
    }

    private static boolean contains(JsonNode allowed, String text) {
        return StreamSupport.stream(allowed.spliterator(), false)
                .anyMatch(value -> value.asText().equals(text));
    }

    private static void number(BigDecimal number, JsonNode schema, String path, List<String> problems) {
        JsonNode min = schema.path("minimum");
        if (min.isNumber() && number.compareTo(min.decimalValue()) < 0) {
            problems.add(
                    path + ": Invalid value: " + number + ": " + path + " in body should be greater than or equal to "
                            + min.decimalValue().toBigInteger());
        }
        JsonNode max = schema.path("maximum");
        if (max.isNumber() && number.compareTo(max.decimalValue()) > 0) {
            problems.add(path + ": Invalid value: " + number + ": " + path + " in body should be less than or equal to "
                    + max.decimalValue().toBigInteger());
        }
    }

    static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}

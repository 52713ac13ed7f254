package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.muster.files.LinedDocument;
import dev.muster.files.Problem;
import dev.muster.files.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value in a descriptor file, and where it stands; what cannot be read is noted with its line. */
final class Cursor {
    private final String file;
    private final LinedDocument document;
    private final List<Problem> problems;
    private final JsonNode node;
    private final String path;

    private Cursor(String file, LinedDocument document, List<Problem> problems, JsonNode node, String path) {
        this.file = file;
        this.document = document;
        this.problems = problems;
        this.node = node;
        this.path = path;
    }

    static Cursor of(String file, LinedDocument document, List<Problem> problems) {
        return new Cursor(file, document, problems, document.tree(), "");
    }

    JsonNode node() {
        return node;
    }

    boolean has(String field) {
        return node.has(field);
    }

    void problem(String what, String cure) {
        problems.add(new Problem(file, document.lineOf(path), path, what, cure));
    }

    /** Notes every field but these. */
    Cursor only(String... known) {
        if (!node.isObject() && !node.isMissingNode()) {
            problem("must be an object, not " + node, "");
        }
        Set<String> names = Set.of(known);
        node.fieldNames().forEachRemaining(name -> {
            if (!names.contains(name)) {
                at(name).problem("unknown field", Spelling.cure(name, names));
            }
        });
        return this;
    }

    Cursor at(String field) {
        return new Cursor(
                file,
                document,
                problems,
                node.isObject() ? node.path(field) : MissingNode.getInstance(),
                path.isEmpty() ? field : path + "." + field);
    }

    /** The elements of a list; a list that is not there has none. */
    List<Cursor> list(String field) {
        Cursor list = at(field);
        List<Cursor> elements = new ArrayList<>();
        if (!list.node.isArray() && !list.node.isMissingNode()) {
            list.problem("must be a list, not " + list.node, "");
            return elements;
        }
        for (int i = 0; i < list.node.size(); i++) {
            elements.add(new Cursor(file, document, problems, list.node.get(i), list.path + "[" + i + "]"));
        }
        return elements;
    }

    /** The texts of a list. */
    List<String> texts(String field) {
        return list(field).stream()
                .map(element -> element.text(one -> true, ""))
                .toList();
    }

    /** The texts of a map, by key. */
    Map<String, String> map(String field) {
        Map<String, String> read = new TreeMap<>();
        Cursor map = at(field).only(names(at(field).node));
        map.node
                .fieldNames()
                .forEachRemaining(name -> read.put(name, map.at(name).text(one -> true, "")));
        return read;
    }

    private static String[] names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names.toArray(new String[0]);
    }

    /** A text that must be there and match. */
    String required(String field, Pattern form, String example) {
        Cursor text = at(field);
        if (text.node.isMissingNode()) {
            text.problem("is missing", "Maybe write it like " + example);
            return "";
        }
        return text.text(value -> form.matcher(value).matches(), "Maybe write it like " + example);
    }

    /** A text that may be left out. */
    String optional(String field) {
        return has(field) ? at(field).text(one -> true, "") : "";
    }

    private String text(Predicate<String> isRight, String cure) {
        if (!node.isValueNode() || node.isNull() || !isRight.test(node.asText())) {
            problem("cannot be read: " + node, cure);
            return "";
        }
        return node.asText();
    }

    /** A whole number from {@code least} on. */
    int number(String field, int byDefault, int least) {
        Cursor number = at(field);
        if (number.node.isMissingNode()) {
            return byDefault;
        }
        if (!number.node.isInt() && !number.node.isLong()
                || number.node.asLong() < least
                || !number.node.canConvertToInt()) {
            number.problem("must be a whole number from " + least + " on, not " + number.node, "");
            return byDefault;
        }
        return number.node.asInt();
    }

    /** A path that must be there. */
    FieldPath path(String field) {
        FieldPath read = pathOrNone(field);
        if (read == null && !has(field)) {
            at(field).problem("is missing", "Maybe write it like spec.suspend");
        }
        return read == null ? new FieldPath(List.of("unknown")) : read;
    }

    /** A path that may be left out; null then, and when it cannot be read. */
    @Nullable
    FieldPath pathOrNone(String field) {
        Cursor text = at(field);
        if (text.node.isMissingNode()) {
            return null;
        }
        try {
            return FieldPath.parse(text.node.asText(""));
        } catch (IllegalArgumentException noPath) {
            text.problem("is no path: " + text.node, "Maybe " + noPath.getMessage());
            return null;
        }
    }
}

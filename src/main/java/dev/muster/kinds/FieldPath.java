package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a field stands in an object: names with dots between, such as {@code spec.runPolicy.suspend}.
 *
 * @param names at least one; {@code *} stands for every field or element
 */
public record FieldPath(List<String> names) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*|[*]");
    private static final int MOST_NAMES = 12;

    public FieldPath {
        names = List.copyOf(names);
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none; the message says why
     */
    public static FieldPath parse(String text) {
        List<String> names = List.of(text.split("[.]", -1));
        if (names.size() > MOST_NAMES) {
            throw new IllegalArgumentException("a path has at most " + MOST_NAMES + " names");
        }
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("a path is names with dots between, such as spec.suspend");
            }
        }
        return new FieldPath(names);
    }

    /** The value there; a missing node when there is none. */
    public JsonNode in(JsonNode root) {
        JsonNode at = root;
        for (String name : names) {
            at = at.isObject() ? at.path(name) : MissingNode.getInstance();
        }
        return at;
    }

    /** All values there, {@code *} standing for every field or element. */
    public Stream<JsonNode> all(JsonNode root) {
        Stream<JsonNode> at = Stream.of(root);
        for (String name : names) {
            at = name.equals("*")
                    ? at.flatMap(node -> Stream.iterate(node.elements(), i -> i.hasNext(), i -> i)
                            .map(i -> i.next()))
                    : at.map(node -> node.path(name));
        }
        return at.filter(node -> !node.isMissingNode());
    }

    /** The last name. */
    public String last() {
        return names.get(names.size() - 1);
    }

    /** The path as written. */
    public String text() {
        return String.join(".", names);
    }

    /** The path as a JSON pointer. */
    public String pointer() {
        return "/" + String.join("/", names);
    }

    @Override
    public String toString() {
        return text();
    }
}

package dev.muster.files;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One YAML document: its tree, and the line of each of its fields.
 *
 * @param tree the value
 * @param line on which the document's first token stands, counted from 1
 * @param lines by field path, such as {@code spec.quotas[0].nominal}
 */
public record LinedDocument(JsonNode tree, int line, Map<String, Integer> lines) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * The documents of a YAML text, as far as it is one.
     *
     * @param file its name, for messages
     * @param problems receives what is wrong with the text itself
     */
    public static List<LinedDocument> all(String file, String text, List<Problem> problems) {
        List<LinedDocument> documents = new ArrayList<>();
        try (JsonParser parser = YAML.createParser(text)) {
            while (parser.nextToken() != null) {
                documents.add(read(parser));
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            String why = e.getOriginalMessage().lines().findFirst().orElse("");
            problems.add(new Problem(file, line, "", "no YAML: " + why, ""));
        } catch (IOException e) {
            problems.add(new Problem(file, 1, "", "cannot be read: " + e.getMessage(), ""));
        }
        return documents;
    }

    /** The line of a field; of the nearest field above it when it is not written. */
    public int lineOf(String path) {
        String at = path;
        while (!at.isEmpty()) {
            Integer known = lines.get(at);
            if (known != null) {
                return known;
            }
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
        return line;
    }

    /** Reads the value whose first token the parser stands on. */
    static LinedDocument read(JsonParser parser) throws IOException {
        Map<String, Integer> lines = new HashMap<>();
        int first = parser.currentTokenLocation().getLineNr();
        return new LinedDocument(value(parser, "", lines), first, lines);
    }

    private static JsonNode value(JsonParser parser, String path, Map<String, Integer> lines) throws IOException {
        lines.putIfAbsent(path, parser.currentTokenLocation().getLineNr());
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, path, lines);
            case START_ARRAY -> array(parser, path, lines);
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? NODES.numberNode(parser.getBigIntegerValue())
                        : NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.textNode(parser.getText());
        };
    }

    private static ObjectNode object(JsonParser parser, String path, Map<String, Integer> lines) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String child = path.isEmpty() ? name : path + "." + name;
            lines.putIfAbsent(child, parser.currentTokenLocation().getLineNr());
            parser.nextToken();
            object.set(name, value(parser, child, lines));
        }
        return object;
    }

    private static ArrayNode array(JsonParser parser, String path, Map<String, Integer> lines) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser, path + "[" + array.size() + "]", lines));
        }
        return array;
    }
}

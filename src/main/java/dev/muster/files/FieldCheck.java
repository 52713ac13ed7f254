package dev.muster.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares a tree with the class it is meant for, field by field: unknown names and values that cannot be read, all of
 * them. Parsing into the class would stop at the first, and the classes of Kubernetes keep unknown fields silently.
 */
final class FieldCheck {
    /** What is wrong with one field. */
    record Finding(String field, String what, String cure) {}

    private final ObjectMapper mapper;
    private final List<Finding> findings = new ArrayList<>();

    private FieldCheck(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    static List<Finding> of(JsonNode tree, Class<?> type, ObjectMapper mapper) {
        FieldCheck check = new FieldCheck(mapper);
        check.walk(tree, mapper.constructType(type), "");
        return check.findings;
    }

    private void walk(JsonNode node, JavaType type, String path) {
        if (node.isNull()) {
            return;
        }
        if (type.isMapLikeType() && node.isObject()) {
            node.properties().forEach(entry -> walk(entry.getValue(), type.getContentType(), join(path, entry)));
        } else if (type.isCollectionLikeType() && node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                walk(node.get(i), type.getContentType(), path + "[" + i + "]");
            }
        } else if (node.isObject() && isStructured(type)) {
            fields(node, type, path);
        } else {
            leaf(node, type, path);
        }
    }

    private void fields(JsonNode node, JavaType type, String path) {
        Map<String, JavaType> known = new TreeMap<>();
        BeanDescription bean = mapper.getDeserializationConfig().introspect(type);
        for (BeanPropertyDefinition property : bean.findProperties()) {
            known.put(property.getName(), property.getPrimaryType());
        }
        known.remove("additionalProperties");
        node.properties().forEach(entry -> {
            JavaType field = known.get(entry.getKey());
            if (field == null) {
                findings.add(
                        new Finding(join(path, entry), "unknown field", Spelling.cure(entry.getKey(), known.keySet())));
            } else {
                walk(entry.getValue(), field, join(path, entry));
            }
        });
    }

    private void leaf(JsonNode node, JavaType type, String path) {
        if (type.hasRawClass(String.class) && node.isValueNode() && !node.isTextual()) {
            findings.add(new Finding(path, "must be text, not " + node, "Maybe write it in quotes"));
            return;
        }
        try {
            mapper.treeToValue(node, type);
        } catch (JsonMappingException e) {
            findings.add(new Finding(path, "cannot be read: " + node + " (" + firstLine(e) + ")", ""));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            findings.add(new Finding(path, "cannot be read: " + node, ""));
        }
    }

    /** Whether the type is read field by field; quantities and the like are read as a whole. */
    private boolean isStructured(JavaType type) {
        String name = type.getRawClass().getName();
        boolean ownReader = type.getRawClass().isAnnotationPresent(JsonDeserialize.class)
                && (name.endsWith("Quantity") || name.endsWith("IntOrString"));
        return !ownReader && !name.startsWith("java.") && !type.isEnumType() && !type.isPrimitive();
    }

    private static String join(String path, Map.Entry<String, JsonNode> entry) {
        return path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
    }

    private static String firstLine(JsonMappingException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("");
    }
}

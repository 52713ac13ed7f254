package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of trees: JSON merge patches (RFC 7396), and the three-way merge of {@code kubectl apply}. */
final class MergePatch {
    private MergePatch() {}

    /** The target with the patch applied: null removes, objects merge, everything else replaces. */
    static ObjectNode merged(ObjectNode target, ObjectNode patch) {
        ObjectNode result = target.deepCopy();
        merge(result, patch);
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode object) {
                ObjectNode below = target.get(name) instanceof ObjectNode old ? old : target.putObject(name);
                merge(below, object);
            } else {
                target.set(name, value.deepCopy());
            }
        });
    }

    /**
     * What an object becomes when a manifest is applied: fields of the manifest win, fields that the last applied manifest
     * had and this one has not go, all others stay. Items of lists that have names are matched by them.
     */
    static ObjectNode applied(ObjectNode stored, ObjectNode manifest, @Nullable ObjectNode lastApplied) {
        ObjectNode result = stored.deepCopy();
        apply(result, manifest, lastApplied);
        return result;
    }

    private static void apply(ObjectNode target, ObjectNode manifest, @Nullable JsonNode last) {
        if (last != null) {
            last.properties().forEach(entry -> {
                if (!manifest.has(entry.getKey())) {
                    target.remove(entry.getKey());
                }
            });
        }
        manifest.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode before = last == null ? null : last.get(name);
            if (entry.getValue() instanceof ObjectNode object && target.get(name) instanceof ObjectNode below) {
                apply(below, object, before);
            } else if (entry.getValue() instanceof ArrayNode list && isNamed(list)) {
                target.set(name, named(list, target.path(name), before));
            } else {
                target.set(name, entry.getValue().deepCopy());
            }
        });
    }

    private static ArrayNode named(ArrayNode list, JsonNode stored, @Nullable JsonNode last) {
        Map<String, JsonNode> old = byName(stored);
        Map<String, JsonNode> lastByName = last == null ? Map.of() : byName(last);
        ArrayNode result = list.arrayNode();
        for (JsonNode item : list) {
            String name = item.path("name").asText();
            if (old.get(name) instanceof ObjectNode before) {
                ObjectNode merged = before.deepCopy();
                apply(merged, (ObjectNode) item, lastByName.get(name));
                result.add(merged);
            } else {
                result.add(item.deepCopy());
            }
        }
        return result;
    }

    private static boolean isNamed(ArrayNode list) {
        return !list.isEmpty() && byName(list).size() == list.size();
    }

    private static Map<String, JsonNode> byName(JsonNode list) {
        Map<String, JsonNode> byName = new HashMap<>();
        for (JsonNode item : list) {
            if (item.path("name").isTextual()) {
                byName.put(item.path("name").asText(), item);
            }
        }
        return byName;
    }
}

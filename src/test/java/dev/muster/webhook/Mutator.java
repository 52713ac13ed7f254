package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes hostile reviews of realistic ones: values of another kind, at the edge of what can be counted, moved, doubled or
 * left out; and at times text that is broken altogether. The same seed makes the same body.
 */
final class Mutator {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> TEXTS = List.of(
            "",
            "true",
            "NaN",
            "1E",
            "-1",
            "1e99999",
            "9223372036854775807",
            "0x10",
            "1.5Gi",
            "..",
            "muster.dev/place",
            "nvidia.com/gpu",
            "required=",
            "cuda>=",
            "2026-13-45T99:99:99Z",
            "\u202e\ud83d\ude80",
            "\ud800",
            "\u0000",
            "n".repeat(253),
            "x".repeat(100_000));

    private final ObjectMapper json;
    private final List<JsonNode> reviews;

    /** Over these whole reviews. */
    Mutator(ObjectMapper json, List<JsonNode> reviews) {
        this.json = json;
        this.reviews = List.copyOf(reviews);
    }

    /** The body of this seed. */
    byte[] body(long seed) {
        Random random = new Random(seed);
        JsonNode review = reviews.get(random.nextInt(reviews.size())).deepCopy();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            change(review, random);
        }
        byte[] text = review.toString().getBytes(StandardCharsets.UTF_8);
        return random.nextInt(10) == 0 ? broken(text, random) : text;
    }

    private void change(JsonNode review, Random random) {
        List<JsonNode> containers = new ArrayList<>();
        collect(review, containers);
        JsonNode at = containers.get(random.nextInt(containers.size()));
        if (at instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(4)) {
                case 0 -> object.remove(name);
                case 1 -> object.set(name, other(random, containers));
                case 2 -> object.set(TEXTS.get(random.nextInt(TEXTS.size())), object.get(name));
                default -> object.set(name, wrapped(object.get(name), random));
            }
        } else if (at instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextInt(3) == 0) {
                array.add(other(random, containers));
            } else {
                JsonNode one = array.get(random.nextInt(array.size()));
                for (int copies = random.nextInt(50); copies >= 0; copies--) {
                    array.add(one);
                }
            }
        }
    }

    private static void collect(JsonNode node, List<JsonNode> into) {
        if (node.isContainerNode() && into.size() < 5_000) {
            into.add(node);
            node.forEach(child -> collect(child, into));
        }
    }

    private static JsonNode wrapped(JsonNode value, Random random) {
        JsonNode wrapped = value;
        for (int depth = random.nextInt(60); depth >= 0; depth--) {
            wrapped = random.nextBoolean()
                    ? NODES.arrayNode().add(wrapped)
                    : NODES.objectNode().set("spec", wrapped);
        }
        return wrapped;
    }

    private JsonNode other(Random random, List<JsonNode> elsewhere) {
        return switch (random.nextInt(8)) {
            case 0 -> NODES.numberNode(random.nextLong());
            case 1 -> NODES.numberNode(random.nextInt(3) - 1);
            case 2 -> NODES.numberNode(random.nextDouble() * 1e300);
            case 3 -> NODES.booleanNode(random.nextBoolean());
            case 4 -> NODES.nullNode();
            case 5 -> elsewhere.get(random.nextInt(elsewhere.size())).deepCopy();
            case 6 -> json.createObjectNode();
            default -> NODES.textNode(TEXTS.get(random.nextInt(TEXTS.size())));
        };
    }

    private static byte[] broken(byte[] text, Random random) {
        byte[] broken = text.clone();
        for (int flips = 1 + random.nextInt(5); flips > 0; flips--) {
            broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
        }
        return random.nextBoolean() ? broken : Arrays.copyOf(broken, random.nextInt(broken.length));
    }
}

package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The questions of {@link DoorGoldenTest}, by the names of their folders, as an API server would put them. */
record DoorCases(SortedMap<String, JsonNode> inputs) {
    private static final Path FOLDER = Path.of("src/test/resources/door");
    private static final ObjectMapper JSON = new ObjectMapper();

    static DoorCases read() throws IOException {
        SortedMap<String, JsonNode> inputs = new TreeMap<>();
        try (Stream<Path> folders = Files.list(FOLDER)) {
            for (Path one : folders.toList()) {
                inputs.put(
                        one.getFileName().toString(),
                        new YAMLMapper().readTree(one.resolve("input.yaml").toFile()));
            }
        }
        return new DoorCases(inputs);
    }

    /** The facts of all cases together, so that queues, classes and jobs are known whatever is asked. */
    ObjectNode facts() {
        ObjectNode all = JSON.createObjectNode();
        for (String field : List.of("queues", "classes", "jobs")) {
            ArrayNode list = all.putArray(field);
            inputs.values().forEach(one -> one.path("facts").path(field).forEach(list::add));
        }
        all.putObject("outlook").put("ahead", 3);
        return all;
    }

    /** All of them as whole AdmissionReviews. */
    List<JsonNode> reviews() {
        return inputs.keySet().stream().<JsonNode>map(this::review).toList();
    }

    /** One as a whole AdmissionReview. */
    ObjectNode review(String name) {
        JsonNode input = inputs.get(name);
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request");
        request.put("uid", "0df28fbd-5f5f-11e8-bc74-36e6bb280816").put("dryRun", false);
        request.put("operation", input.path("operation").asText(input.has("oldObject") ? "UPDATE" : "CREATE"));
        request.putObject("userInfo").put("username", input.path("user").asText("alice"));
        request.set("object", input.path("object").deepCopy());
        request.set(
                "oldObject", input.has("oldObject") ? input.path("oldObject").deepCopy() : review.nullNode());
        return review;
    }
}

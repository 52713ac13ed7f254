package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of {@code src/test/resources/door} is a case: {@code input.yaml} has the question, the facts and the object,
 * {@code expected.yaml} the whole verdict. {@code -Ddoor.write=true} writes the verdicts anew, to be read before they are
 * committed.
 */
class DoorGoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/door");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES));

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void theVerdictIsTheExpectedOne(String name) throws IOException {
        Path folder = FOLDER.resolve(name);
        JsonNode input = YAML.readTree(folder.resolve("input.yaml").toFile());

        JsonNode verdict = YAML.valueToTree(verdict(input, input.path("object"), false));

        Path expected = folder.resolve("expected.yaml");
        if (Boolean.getBoolean("door.write")) {
            YAML.writeValue(expected.toFile(), verdict);
        }
        assertThat(verdict).isEqualTo(YAML.readTree(expected.toFile()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("theVerdictIsTheExpectedOne")
    void aDryRunGetsTheSameAnswer(String name) throws IOException {
        JsonNode input =
                YAML.readTree(FOLDER.resolve(name).resolve("input.yaml").toFile());

        assertThat(verdict(input, input.path("object"), true)).isEqualTo(verdict(input, input.path("object"), false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("theVerdictIsTheExpectedOne")
    void aSecondPassChangesNothing(String name) throws IOException {
        JsonNode input =
                YAML.readTree(FOLDER.resolve(name).resolve("input.yaml").toFile());
        ArrayNode patch =
                YAML.valueToTree(verdict(input, input.path("object"), false).patch());

        JsonNode changed = JsonPatch.apply(patch, input.path("object").deepCopy());

        assertThat(verdict(input, changed, false).patch()).isEmpty();
    }

    static Stream<String> theVerdictIsTheExpectedOne() throws IOException {
        try (Stream<Path> folders = Files.list(FOLDER)) {
            return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
        }
    }

    private static Verdict verdict(JsonNode input, JsonNode object, boolean dryRun) {
        ObjectNode request = YAML.createObjectNode();
        request.put("uid", "r-1").put("dryRun", dryRun);
        request.put("operation", input.path("operation").asText(input.has("oldObject") ? "UPDATE" : "CREATE"));
        request.putObject("userInfo").put("username", input.path("user").asText("alice"));
        request.set("resource", input.path("resource"));
        request.set("object", object);
        request.set("oldObject", input.path("oldObject"));
        return Doors.over(new GivenFacts(input.path("facts")))
                .get(input.path("door").asText())
                .on(request);
    }
}

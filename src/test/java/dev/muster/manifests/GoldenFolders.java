package dev.muster.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Folders with an {@code input.yaml} and what is expected of it; {@code -Dkinds.write=true} writes the latter anew. */
public final class GoldenFolders {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES));

    private GoldenFolders() {}

    /** What becomes of an input. */
    public interface Reading {
        JsonNode of(JsonNode input) throws IOException;
    }

    /** Their names, in order. */
    public static Stream<String> in(Path parent) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
        }
    }

    /** The input of a folder becomes what is expected there, no more and no less. */
    public static void check(Path folder, Reading reading) throws IOException {
        JsonNode seen = reading.of(YAML.readTree(folder.resolve("input.yaml").toFile()));
        Path expected = folder.resolve("expected.yaml");
        if (Boolean.getBoolean("kinds.write")) {
            YAML.writeValue(expected.toFile(), seen);
        }
        assertThat(YAML.writeValueAsString(seen)).isEqualTo(YAML.writeValueAsString(YAML.readTree(expected.toFile())));
    }
}

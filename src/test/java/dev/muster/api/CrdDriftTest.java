package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrdDriftTest {
    private static final Path COMMITTED = Path.of("manifests", "crds");
    private static final Path GENERATED = Path.of("target", "classes", "META-INF", "fabric8");

    @ParameterizedTest
    @ValueSource(strings = {"teamqueues", "gpunodeclasses"})
    void theCommittedCrdIsTheGeneratedOne(String plural) throws IOException {
        Path committed = COMMITTED.resolve(plural + ".yaml");
        Path generated = GENERATED.resolve(plural + ".muster.dev-v1.yml");

        assertThat(committed)
                .as(
                        "%s differs from what dev.muster.api generates. Run .ci/update-crds and commit the result",
                        committed)
                .hasSameTextualContentAs(generated);
    }

    @Test
    void eachGeneratedCrdIsCommitted() throws IOException {
        assertThat(namesIn(COMMITTED, ".yaml"))
                .as("files in %s. Maybe add the new resource to .ci/update-crds", COMMITTED)
                .isEqualTo(namesIn(GENERATED, ".muster.dev-v1.yml"));
    }

    private static List<String> namesIn(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .map(name -> name.substring(0, name.length() - ending.length()))
                    .sorted()
                    .toList();
        }
    }
}

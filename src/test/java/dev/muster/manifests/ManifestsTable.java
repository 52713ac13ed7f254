package dev.muster.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Good and bad manifests with the answers that they get: the same in local mode and from a real API server. The first lines
 * of each file say what is expected: {@code # expect: created} or {@code # expect: refused: <part of the message>}, and
 * {@code # warns: <part of a warning>}.
 */
public abstract class ManifestsTable {
    private static final Path TABLE = Path.of("src/test/resources/manifests-table");
    private static final String EXPECT = "# expect: ";
    private static final String REFUSED = "refused: ";
    private static final String WARNS = "# warns: ";

    /** What was answered: whether the object was stored, and all that was said. */
    public record Answer(boolean stored, String text) {}

    /** Submits a manifest to the cluster that is tested. */
    protected abstract Answer submit(String yaml);

    static Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(TABLE)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void theManifestGetsTheAnswerThatItsFirstLinesSay(String file) throws IOException {
        String yaml = Files.readString(TABLE.resolve(file));
        List<String> head = yaml.lines().takeWhile(line -> line.startsWith("#")).toList();
        String expected = head.get(0).substring(EXPECT.length());

        Answer answer = submit(yaml);

        if (expected.startsWith(REFUSED)) {
            assertThat(answer.text()).contains(expected.substring(REFUSED.length()));
            assertThat(answer.stored()).as(answer.text()).isFalse();
        } else {
            assertThat(answer.stored()).as(answer.text()).isTrue();
        }
        head.stream()
                .filter(line -> line.startsWith(WARNS))
                .forEach(line -> assertThat(answer.text()).contains(line.substring(WARNS.length())));
    }
}

package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.kinds.Render;
import dev.muster.kinds.ShippedKinds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that prints what an operator applies. */
class KindsCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return KindsCommand.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void withoutAFolderItPrintsWhatIsShipped() {
        assertThat(run("kinds", "render")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(Render.of(ShippedKinds.all()));
        assertThat(err.size()).isZero();
    }

    @Test
    void aWrongDescriptorPrintsNothingButWhatIsWrong(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("x.yaml"), "group: example.com\nhandsOn: {labels: spec.labels}\n");

        assertThat(run("kinds", "render", folder.toString())).isEqualTo(1);
        assertThat(out.size()).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyInAnyOrder(
                        "x.yaml:1: version: is missing. Maybe write it like v1",
                        "x.yaml:1: kind: is missing. Maybe write it like PyTorchJob",
                        "x.yaml:1: plural: is missing. Maybe write it like pytorchjobs",
                        "x.yaml:2: handsOn.annotations: is missing. Maybe write it like spec.suspend");
    }

    @Test
    void whatItDoesNotKnowIsSaid() {
        assertThat(run("kinds")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("usage: kinds render [FOLDER]\n");
    }
}

package dev.muster.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator applies for kinds; {@code -Dkinds.write=true} writes the shipped file anew, to be read before it is committed. */
class RenderTest {
    private static final Path SHIPPED = Path.of("webhook/kinds/kinds.yaml");

    @Test
    void theShippedFileIsWhatIsRendered() throws IOException {
        String rendered = Render.of(ShippedKinds.all());

        if (Boolean.getBoolean("kinds.write")) {
            Files.createDirectories(SHIPPED.getParent());
            Files.writeString(SHIPPED, rendered);
        }
        assertThat(rendered).isEqualTo(Files.readString(SHIPPED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"create.yaml", "pods.yaml", "templates.yaml"})
    void theHandWrittenPoliciesNameTheMakersOfTheShippedKinds(String file) throws IOException {
        assertThat(Files.readString(Path.of("webhook/policies", file)))
                .contains(KindPolicies.list(ShippedKinds.all().makers()));
    }

    @Test
    void aKindOfAnotherControllerBringsThePoliciesThatNameWhoMakesPods() {
        String moved = ShippedKinds.text("kinds/pytorchjob.yaml").replace("kubeflow:training", "ml-platform:training");
        Kinds kinds =
                KindReader.read(ShippedKinds.all(), Map.of("ours.yaml", moved)).kinds();

        String rendered = Render.of(kinds);

        assertThat(rendered)
                .contains("name: muster-create\n", "name: muster-pods\n", "name: muster-templates\n")
                .contains(KindPolicies.list(kinds.makers()))
                .doesNotContain(KindPolicies.list(ShippedKinds.all().makers()));
    }
}

package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Examples of Muster's resources against a real API server. An invalid one begins with {@code # expect: } and a part of the refusal. */
@OnControlPlane
class CrdExamplesIT {
    private static final Path EXAMPLES = Path.of("src", "test", "resources", "crds");
    private static final String EXPECT = "# expect: ";
    private static final Map<String, Class<? extends CustomResource<?, ?>>> KINDS =
            Map.of("teamqueue", TeamQueue.class, "gpunodeclass", GpuNodeClass.class);

    private final ControlPlane cluster;

    CrdExamplesIT(ControlPlane cluster) {
        this.cluster = cluster;
    }

    static List<Path> valid() throws IOException {
        return examples("valid");
    }

    static List<Path> invalid() throws IOException {
        return examples("invalid");
    }

    @BeforeAll
    static void installTheResources(ControlPlane cluster) {
        cluster.install(Path.of("manifests", "crds"));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void anInvalidObject_IsRefusedWithTheReason(Path file) throws IOException {
        String text = Files.readString(file);
        String expected = text.lines().findFirst().orElse("");
        assertThat(expected).as("first line of %s", file).startsWith(EXPECT);

        KubernetesClientException refusal =
                catchThrowableOfType(KubernetesClientException.class, () -> cluster.create(text));

        assertThat(refusal).as("refusal of %s", file).isNotNull();
        assertThat(refusal.getStatus().getMessage()).contains(expected.substring(EXPECT.length()));
        assertThat(refusal.getCode()).as("%s", refusal.getMessage()).isIn(400, 422);
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aValidObject_ReadsTheSameFromTheServerAsFromItsFile(Path file) throws IOException {
        String text = Files.readString(file);
        CustomResource<?, ?> read = Serialization.unmarshal(text, kind(file));

        HasMetadata created = cluster.create(text);

        CustomResource<?, ?> stored = cluster.admin()
                .resources(kind(file))
                .withName(created.getMetadata().getName())
                .get();
        assertThat((Object) stored.getSpec()).isEqualTo(read.getSpec());
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aValidObject_AppliedTwiceFromTheClient_IsNotChanged(Path file) throws IOException {
        HasMetadata created = cluster.create(Files.readString(file));
        String manifest = Serialization.asJson(
                Serialization.unmarshal(Files.readString(file), Map.class)); // the text alone: no default of a record

        HasMetadata patched = cluster.admin().resource(created).patch(PatchContext.of(PatchType.JSON_MERGE), manifest);

        assertThat(patched.getMetadata().getResourceVersion())
                .isEqualTo(created.getMetadata().getResourceVersion());
    }

    @ParameterizedTest
    @MethodSource("valid")
    void aValidObject_AppliedTwiceByTheServer_IsNotChanged(Path file) throws IOException {
        String first = version(cluster.apply(Files.readString(file)));

        String second = version(cluster.apply(Files.readString(file)));

        assertThat(second).isEqualTo(first);
    }

    private static String version(List<HasMetadata> applied) {
        return applied.get(0).getMetadata().getResourceVersion();
    }

    private static Class<? extends CustomResource<?, ?>> kind(Path file) {
        return KINDS.get(file.getParent().getParent().getFileName().toString());
    }

    private static List<Path> examples(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> file.getParent().endsWith(folder))
                    .sorted()
                    .toList();
            assertThat(found).as("%s examples in %s", folder, EXAMPLES).isNotEmpty();
            return found;
        }
    }
}

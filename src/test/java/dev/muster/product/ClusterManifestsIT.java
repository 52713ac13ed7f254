package dev.muster.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import dev.muster.manifests.ManifestsTable;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The table of manifests against a real API server with Muster beside it, and the demo's queues. */
@OnControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterManifestsIT extends ManifestsTable {
    private final ControlPlane plane;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final YAMLMapper yaml = new YAMLMapper();
    private Site site;
    private KubernetesClient client;

    ClusterManifestsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @BeforeAll
    void fill() {
        site = Site.installed(plane, "table");
        for (String file : List.of("namespaces.yaml", "nodeclasses.yaml", "teams.yaml")) {
            plane.apply(Path.of("queues", file));
        }
        plane.nodes(IntStream.range(0, 24)
                .mapToObj(i -> FakeNode.h100(plane.unique("table")))
                .toArray(FakeNode[]::new));
        site.start();
        Await.until(
                "Muster knows the nodes of the demo",
                () -> site.muster()
                        .get(site.muster().uri("/api/v1/nodeclasses"))
                        .body()
                        .contains("\"readyNodes\":24"));
        client = new KubernetesClientBuilder()
                .withConfig(plane.admin().getConfiguration())
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("warnings", new WarningsHeard()))
                .build();
    }

    @AfterAll
    void close() {
        client.close();
        site.close();
    }

    @Override
    protected Answer submit(String manifest) {
        JsonNode object = read(manifest);
        String collection = collection(object);
        warnings.clear();
        try {
            client.raw(collection + "?fieldValidation=Strict", "POST", object.toString());
        } catch (KubernetesClientException e) {
            return new Answer(false, String.join("\n", warnings) + "\n" + e.getMessage());
        }
        client.raw(
                collection + "/" + object.at("/metadata/name").asText() + "?propagationPolicy=Background",
                "DELETE",
                null);
        return new Answer(true, String.join("\n", warnings));
    }

    private static String collection(JsonNode object) {
        return switch (object.path("kind").asText()) {
            case "Job" ->
                "/apis/batch/v1/namespaces/" + object.at("/metadata/namespace").asText() + "/jobs";
            case "TeamQueue" -> "/apis/muster.dev/v1alpha1/teamqueues";
            case "GpuNodeClass" -> "/apis/muster.dev/v1alpha1/gpunodeclasses";
            default -> throw new IllegalArgumentException("no path is known for " + object.path("kind"));
        };
    }

    private JsonNode read(String manifest) {
        try {
            return yaml.readTree(manifest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes the warnings of each answer. */
    private final class WarningsHeard implements Interceptor {
        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            warnings.addAll(response.headers("Warning"));
        }
    }
}

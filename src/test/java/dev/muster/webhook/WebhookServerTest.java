package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.cluster.WebhookCertificate;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode FACTS = JSON.createObjectNode();

    @TempDir
    static Path folder;

    private static WebhookServer server;
    private static HttpClient client;

    @BeforeAll
    static void open() {
        WebhookCertificate certificate = WebhookCertificate.in(folder);
        server = WebhookServer.open(
                "127.0.0.1",
                0,
                new PemKeyCertOptions()
                        .addCertPath(certificate.cert().toString())
                        .addKeyPath(certificate.key().toString()),
                Doors.over(new GivenFacts(FACTS)));
        client = HttpClient.newBuilder().sslContext(certificate.trust()).build();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void aReviewIsAnsweredWithItsUidAndThePatch() throws Exception {
        String review = "{\"request\":{\"uid\":\"r-1\",\"operation\":\"CREATE\",\"object\":{\"metadata\":{\"labels\":"
                + "{\"muster.dev/queue\":\"q\"}},\"spec\":{\"template\":{\"spec\":{}}}}}}";

        HttpResponse<String> answer = post(Doors.MUTATE_JOBS, BodyPublishers.ofString(review));

        JsonNode response = JSON.readTree(answer.body()).path("response");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(response.path("uid").asText()).isEqualTo("r-1");
        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(JSON.readTree(
                        Base64.getDecoder().decode(response.path("patch").asText())))
                .hasSize(7);
    }

    @ParameterizedTest(name = "{0} is answered with {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not json | 400 | the body is no JSON",
                "'' | 400 | the body is no AdmissionReview: it has no request.uid",
                "[] | 400 | the body is no AdmissionReview: it has no request.uid",
                "null | 400 | the body is no AdmissionReview: it has no request.uid",
                "{\"request\":{\"uid\":7}} | 400 | the body is no AdmissionReview: it has no request.uid",
                "{\"request\": | 400 | the body is no JSON",
            })
    void aBodyThatIsNoReviewIsTheCallersFault(String body, int status, String text) throws Exception {
        for (String path : Doors.over(new GivenFacts(FACTS)).keySet()) {
            HttpResponse<String> answer = post(path, BodyPublishers.ofString(body));

            assertThat(List.of(answer.statusCode(), answer.body())).as(path).isEqualTo(List.of(status, text));
        }
    }

    @Test
    void deepNestingIsRefused() throws Exception {
        String deep = "{\"request\":" + "[".repeat(100_000);

        assertThat(post(Doors.VALIDATE_JOBS, BodyPublishers.ofString(deep)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aBodyBeyondTheBoundIsNotRead() throws Exception {
        byte[] part = new byte[1 << 20];
        BodyPublisher announced = BodyPublishers.ofByteArray(new byte[Limits.DEFAULT.largestBody() + 1]);
        BodyPublisher chunked = BodyPublishers.ofByteArrays(() -> new Iterator<>() {
            private int left = 12;

            @Override
            public boolean hasNext() {
                return left > 0;
            }

            @Override
            public byte[] next() {
                left--;
                return part;
            }
        });

        assertThat(statusOrCutOff(announced)).isIn(413, -1);
        assertThat(statusOrCutOff(chunked)).isIn(413, -1);
        assertThat(post(Doors.VALIDATE_JOBS, BodyPublishers.ofByteArray(new byte[Limits.DEFAULT.largestBody()]))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void otherPathsAndMethodsAreNotFound() throws Exception {
        assertThat(post("/mutate/nodes", BodyPublishers.ofString("{}")).statusCode())
                .isEqualTo(404);
        assertThat(client.send(HttpRequest.newBuilder(uri(Doors.MUTATE_JOBS)).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void everyDoorAnswersEveryShapeOfObject() {
        Map<String, Decision> doors = Doors.over(new GivenFacts(FACTS));
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            JsonNode request = JSON.createObjectNode()
                    .put("operation", random.nextBoolean() ? "CREATE" : "UPDATE")
                    .<com.fasterxml.jackson.databind.node.ObjectNode>set("object", tree(random, 0))
                    .set("oldObject", tree(random, 0));
            for (Map.Entry<String, Decision> door : doors.entrySet()) {
                Verdict verdict = door.getValue().on(request);
                assertThat(verdict.allowed() || !verdict.message().isEmpty())
                        .as("seed %d at %s", seed, door.getKey())
                        .isTrue();
            }
        }
    }

    /** A tree of the field names that the door reads, with values of any kind in any place. */
    private static JsonNode tree(Random random, int depth) {
        List<String> names = List.of(
                "metadata",
                "labels",
                "annotations",
                "spec",
                "template",
                "schedulingGates",
                "name",
                "muster.dev/queue",
                "muster.dev/managed",
                "muster.dev/requires",
                "muster.dev/topology",
                "muster.dev/max-runtime",
                "muster.dev/admission",
                "containers",
                "resources",
                "requests",
                "cpu",
                "parallelism",
                "completions",
                "affinity",
                "tolerations",
                "ownerReferences",
                "quotas",
                "nominal",
                "selector",
                "taint",
                "owner",
                "status",
                "conditions",
                "suspend",
                "parent",
                "weight",
                "initContainers",
                "limits",
                "nodeSelector");
        switch (depth > 6 ? random.nextInt(5) : random.nextInt(12)) {
            case 0:
                return JSON.getNodeFactory()
                        .textNode(List.of("true", "", "-1", "1e99999", "\ud83d", "é".repeat(300))
                                .get(random.nextInt(6)));
            case 1:
                return JSON.getNodeFactory().numberNode(random.nextLong());
            case 2:
                return JSON.getNodeFactory().booleanNode(random.nextBoolean());
            case 3:
                return JSON.nullNode();
            case 4:
                var list = JSON.createArrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(tree(random, depth + 1));
                }
                return list;
            default:
                var object = JSON.createObjectNode();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    object.set(names.get(random.nextInt(names.size())), tree(random, depth + 1));
                }
                if (depth == 0) {
                    object.putObject("metadata")
                            .<com.fasterxml.jackson.databind.node.ObjectNode>set("annotations", tree(random, depth + 1))
                            .putObject("labels")
                            .put("muster.dev/queue", "q")
                            .put("muster.dev/managed", "true");
                }
                return object;
        }
    }

    private static int statusOrCutOff(BodyPublisher body) throws InterruptedException {
        try {
            return post(Doors.VALIDATE_JOBS, body).statusCode();
        } catch (IOException cutOff) {
            return -1; // the server closed the connection while the client was still sending
        }
    }

    private static HttpResponse<String> post(String path, BodyPublisher body) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).POST(body).build(), BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create("https://127.0.0.1:" + server.port() + path);
    }
}

package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.cluster.Accounts;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Page and REST of a Muster that is set as the shipped Deployment sets it, asked by accounts of two tenants and of an owner. */
@OnControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusAccessIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ControlPlane plane;
    private final int port = freePort();
    private Site site;
    private HttpClient http;
    private String red;
    private String blue;
    private String queue;
    private String ofRed;
    private String ofBlue;
    private String ofOwner;

    StatusAccessIT(ControlPlane plane) {
        this.plane = plane;
    }

    @BeforeAll
    void twoTenantsWithAJobEach() {
        site = Site.installed(plane, "access");
        site.muster()
                .with("muster.status.anonymous", "false")
                .with("quarkus.http.tls-configuration-name", "webhook")
                .with("quarkus.http.ssl-port", Integer.toString(port))
                .with("quarkus.http.insecure-requests", "disabled");
        http = HttpClient.newBuilder()
                .sslContext(site.muster().trust())
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        queue = site.queue("shared", 8);
        red = plane.newNamespace("red");
        blue = plane.newNamespace("blue");
        Accounts accounts = new Accounts(plane);
        ofRed = accounts.token(red, "lead");
        ofBlue = accounts.token(blue, "lead");
        ofOwner = accounts.token(red, "owner");
        accounts.mayViewItsNamespace(red, "lead");
        accounts.mayViewItsNamespace(blue, "lead");
        accounts.mayViewEverything(red, "owner");
        site.start();
        site.submit(Gang.of(red, "train-red", queue, 1, 8));
        site.submit(Gang.of(blue, "train-blue", queue, 1, 8));
        Await.until(
                "both are seen",
                () -> names(ask(ofOwner, "/api/v1/jobs")).containsAll(List.of("train-red", "train-blue")));
    }

    @AfterAll
    void close() {
        site.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/jobs",
                "/api/v1/jobs/red/train-red",
                "/api/v1/queues",
                "/api/v1/queues/none",
                "/api/v1/nodeclasses",
                "/api/v1/about",
                "/api/v1/stream",
                "/local/apply"
            })
    void withoutATokenOrWithAForgedOneNothingIsSaid(String path) {
        String forged = ofRed.substring(0, ofRed.length() - 8) + "AAAAAAAA";
        boolean posts = path.startsWith("/local");
        HttpResponse<String> nobody = posts ? post("", path) : ask("", path);
        HttpResponse<String> liar = posts ? post(forged, path) : ask(forged, path);

        assertProblem(nobody, 401, "Maybe send the header Authorization: Bearer TOKEN");
        assertProblem(liar, 401, "The token is not one that the API server accepts.");
        assertThat(nobody.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void eachTenantSeesTheGangsOfItsOwnNamespace_AndTheOwnerSeesAll() {
        assertThat(names(ask(ofRed, "/api/v1/jobs"))).containsExactly("train-red");
        assertThat(names(ask(ofBlue, "/api/v1/jobs?state=waiting"))).containsExactly("train-blue");
        assertThat(names(ask(ofOwner, "/api/v1/jobs?queue=" + queue)))
                .containsExactlyInAnyOrder("train-red", "train-blue");

        assertThat(ask(ofRed, "/api/v1/jobs/" + red + "/train-red").statusCode())
                .isEqualTo(200);
        assertThat(names(ask(ofRed, "/api/v1/jobs?namespace=" + red))).containsExactly("train-red");
        for (String path : List.of(
                "/api/v1/jobs/" + blue + "/train-blue",
                "/api/v1/jobs/" + blue + "/no-such-job",
                "/api/v1/jobs?namespace=" + blue,
                "/api/v1/stream?namespace=" + blue)) {
            assertProblem(
                    ask(ofRed, path),
                    403,
                    "You (system:serviceaccount:" + red + ":lead) may not get jobs in namespace '" + blue
                            + "'. Maybe ask for a RoleBinding to the ClusterRole view there.");
        }
    }

    @Test
    void queuesAndFleetAreShownToEveryAccount_InFiguresWithoutNames() {
        for (String path :
                List.of("/api/v1/queues/" + queue, "/api/v1/queues", "/api/v1/nodeclasses", "/api/v1/about")) {
            HttpResponse<String> answer = ask(ofRed, path);

            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).doesNotContain("train-blue").doesNotContain(blue);
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        }
        assertThat(read(ask(ofRed, "/api/v1/queues/" + queue)).path("waiting").asInt())
                .isEqualTo(2);
    }

    @Test
    void theLiveStreamHasTheGangsOfTheCallerOnly() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        HttpResponse<InputStream> stream = send(request(ofRed, "/api/v1/stream").build(), BodyHandlers.ofInputStream());
        try (BufferedReader events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            while (lines.stream().noneMatch(line -> line.contains("train-red"))) {
                lines.add(events.readLine());
            }
        }
        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(lines).noneMatch(line -> line.contains("train-blue"));
    }

    @Test
    void aRightThatIsTakenAwayIsGoneWithinHalfAMinute() {
        String token = new Accounts(plane).token(blue, "guest");
        plane.admin().resource(bindingOfGuest()).create();
        Await.until(
                "the guest sees blue",
                () -> ask(token, "/api/v1/jobs?namespace=" + blue).statusCode() == 200);

        plane.admin().resource(bindingOfGuest()).delete();

        Await.until(
                "the guest sees blue no more",
                Duration.ofSeconds(40),
                () -> ask(token, "/api/v1/jobs?namespace=" + blue).statusCode(),
                status -> status == 403);
    }

    @Test
    void whatIsNotThereIsAProblemToo_AndNoNameOfAClassGoesOut() {
        assertProblem(ask(ofRed, "/api/v1/nothing"), 404, "There is nothing at");
        assertProblem(ask(ofRed, "/api/v2"), 404, "There is nothing at");
        assertProblem(post(ofRed, "/api/v1/jobs"), 405, "does not take this method. Maybe GET.");
        assertProblem(ask(ofRed, "/api/v1/jobs?limit=9999999999"), 400, "The limit '9999999999' is no number.");
        assertProblem(ask(ofRed, "/api/v1/queues/" + "q".repeat(253)), 404, "There is no queue");
        assertProblem(post(ofRed, "/local/apply"), 404, "Maybe use kubectl apply.");
    }

    @Test
    void thePageItselfIsOpen_AndRunsNothingButItsOwnFiles() {
        HttpResponse<String> page = ask("", "/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("id=\"sign-in\"");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(
                        policy -> assertThat(policy).startsWith("default-src 'self'; frame-ancestors 'none'"));
    }

    @Test
    void tokensGoOverTlsOnly_AndIntoNoLog() throws IOException, InterruptedException {
        HttpRequest plain = HttpRequest.newBuilder(site.muster().uri("/api/v1/about"))
                .header("Authorization", "Bearer " + ofRed)
                .build();
        boolean refused = false;
        try {
            http.send(plain, BodyHandlers.discarding());
        } catch (ConnectException e) {
            refused = true;
        }
        assertThat(refused).as("nobody listens without TLS").isTrue();
        ask(ofRed, "/api/v1/jobs");
        ask(ofRed + "x", "/api/v1/jobs");
        assertThat(Files.readString(site.muster().log()))
                .doesNotContain(ofRed.substring(ofRed.lastIndexOf('.') + 1))
                .doesNotContain(ofRed.substring(0, 40));
    }

    private HasMetadata bindingOfGuest() {
        return plane.parse("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: guest, namespace: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
                subjects: [{kind: ServiceAccount, name: guest, namespace: %1$s}]
                """.formatted(blue)).get(0);
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(read(answer).path("status").asInt()).isEqualTo(status);
        assertThat(read(answer).path("detail").asText()).contains(detail);
        assertThat(answer.body())
                .doesNotContain("java.")
                .doesNotContain("jakarta.")
                .doesNotContain("dev.muster.")
                .doesNotContain("Exception");
    }

    private static List<String> names(HttpResponse<String> answer) {
        List<String> names = new ArrayList<>();
        read(answer).forEach(job -> names.add(job.path("name").asText()));
        return names;
    }

    private static JsonNode read(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + answer.body(), e);
        }
    }

    private HttpResponse<String> ask(String token, String path) {
        return send(request(token, path).build());
    }

    private HttpResponse<String> post(String token, String path) {
        return send(request(token, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build());
    }

    private HttpRequest.Builder request(String token, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        return http.send(request, body);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.muster.app;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasSize;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(LocalModeTest.WithoutTrace.class)
class LocalModeTest {
    /** Local mode with the demo's queues and nodes, and no jobs but the test's. */
    public static class WithoutTrace implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "muster.mode", "local",
                    "muster.local.trace", "false",
                    "quarkus.management.test-port", "0",
                    "quarkus.http.test-port", "0");
        }
    }

    @TestHTTPResource("/")
    URL root;

    @TestHTTPResource(value = "/metrics", management = true)
    URL metrics;

    @TestHTTPResource(value = "/openapi", management = true)
    URL openapi;

    @Test
    void queuesAndNodeClassesShowQuotaAndFleet() {
        when().get("/api/v1/queues").then().statusCode(200).body("name", contains("nlp", "research", "vision"));
        when().get("/api/v1/queues/vision")
                .then()
                .statusCode(200)
                .body("owner", equalTo("vision-leads"))
                .body("quotas.find { it.nodeClass == 'h100' }.nominal", equalTo(112));
        when().get("/api/v1/nodeclasses")
                .then()
                .statusCode(200)
                .body("name", contains("a100", "h100"))
                .body("gpus", contains(64, 192))
                .body("fleet[1]", hasSize(24));
    }

    @Test
    void aSubmittedGangCanBeAskedForAtOnce() throws IOException {
        String train = example("train.yaml").replace("name: train", "name: asked-for");

        given().body(train)
                .when()
                .post("/local/apply")
                .then()
                .statusCode(200)
                .body(containsString("job.batch/asked-for created"));
        given().body(train)
                .when()
                .post("/local/apply")
                .then()
                .statusCode(200)
                .body(containsString("job.batch/asked-for unchanged"));
        when().get("/api/v1/jobs/vision/asked-for")
                .then()
                .statusCode(200)
                .body("queue", equalTo("vision"))
                .body("members", equalTo(2))
                .body("gpus", equalTo(16))
                .body("charge.'nvidia.com/gpu'", equalTo(16));
        when().get("/api/v1/jobs?queue=vision&limit=5").then().statusCode(200).body("size()", greaterThanOrEqualTo(1));
    }

    @Test
    void aDryRunStoresNothing() throws IOException {
        given().body(example("train.yaml").replace("name: train", "name: only-asked"))
                .when()
                .post("/local/apply?dryRun=server")
                .then()
                .statusCode(200)
                .body(containsString("job.batch/only-asked created (server dry run)"));
        when().get("/api/v1/jobs/vision/only-asked").then().statusCode(404);
    }

    @Test
    void refusalsAnswerWhatKubectlWouldPrint() throws IOException {
        given().body(example("bad-too-large.yaml"))
                .when()
                .post("/local/apply")
                .then()
                .statusCode(422)
                .body(containsString("admission webhook \"validate.jobs.muster.dev\" denied the request"));
    }

    @Test
    void errorsNameTheValueAndACure() {
        when().get("/api/v1/queues/vison")
                .then()
                .statusCode(404)
                .contentType("application/problem+json")
                .body("detail", equalTo("There is no queue 'vison'. Maybe vision."));
        when().get("/api/v1/jobs/vision/nothing")
                .then()
                .statusCode(404)
                .contentType("application/problem+json")
                .body("detail", containsString("no managed job 'nothing' in namespace 'vision'"));
        when().get("/api/v1/jobs?state=runing")
                .then()
                .statusCode(400)
                .body(
                        "detail",
                        equalTo("'runing' is no state. Maybe one of waiting, admitted, running, stopping, finished."));
        when().get("/api/v1/jobs?limit=0").then().statusCode(400).body("detail", containsString("between 1 and 1000"));
        given().body("").when().post("/local/apply?dryRun=client").then().statusCode(400);
    }

    @Test
    void theStreamBeginsWithEverySection() throws IOException {
        Set<String> sections = new HashSet<>();
        var connection = URI.create(root + "api/v1/stream").toURL().openConnection();
        connection.setReadTimeout(20_000);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            while (sections.size() < 5) {
                String line = lines.readLine();
                if (line.startsWith("event:")) {
                    sections.add(line.substring("event:".length()).trim());
                }
            }
        }
        assertThat(sections).containsExactlyInAnyOrder("about", "queues", "nodeclasses", "waiting", "active");
    }

    @Test
    void metersAndDescriptionStandOnTheManagementPort() throws IOException {
        assertThat(read(metrics)).contains("muster_decisions_total").contains("jvm_");
        assertThat(read(openapi))
                .contains("/api/v1/queues/{name}")
                .contains("Place among the waiting gangs of its queue");
    }

    @Test
    void thePageIsServedAtTheRoot() {
        when().get("/").then().statusCode(200).body(containsString("<title>Muster</title>"));
        when().get("/page.js").then().statusCode(200);
    }

    private static String read(URL url) throws IOException {
        try (var in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String example(String name) throws IOException {
        return Files.readString(Path.of("queues/examples", name));
    }
}

package dev.muster.app;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever tenants name their jobs and strangers ask for, the number of series stays what it is. */
@QuarkusTest
@TestProfile(LocalModeTest.WithoutTrace.class)
class MetricsCardinalityTest {
    @TestHTTPResource(value = "/metrics", management = true)
    URL metrics;

    private Set<String> series() throws IOException {
        try (var in = metrics.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.substring(0, line.lastIndexOf(' ')))
                    .collect(Collectors.toSet());
        }
    }

    private static void submit(String name) {
        given().body("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %1$s
                  namespace: vision
                  labels: {muster.dev/queue: vision, team: %1$s}
                  annotations: {muster.dev/node-classes: class-of-%1$s}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: "%1$s", resources: {limits: {"example.com/%1$s": 1}}}]
                """.formatted(name)).when().post("/local/apply");
    }

    private static void strange(int i) {
        given().when().request(i % 2 == 0 ? "GET" : "M" + i, "/api/v1/jobs/ns-" + i + "/strange-" + i);
        given().when().get("/api/v1/queues/strange-" + i);
        given().when().get("/strange-" + i + "/x");
        given().when().get("/api/v1/jobs?queue=strange-" + i + "&state=" + (i % 3 == 0 ? "strange" : "waiting"));
    }

    @Test
    void namesOfJobsClassesResourcesPathsAndMethodsMakeNoSeries() throws IOException {
        submit("first");
        strange(0);
        strange(1);
        int before = series().size();

        for (int i = 2; i < 60; i++) {
            submit("strange-" + i);
            strange(i);
        }

        Set<String> after = series();
        assertThat(after).noneMatch(line -> line.contains("strange"));
        assertThat(after).noneMatch(line -> line.matches(".*\"M[0-9]+\".*"));
        assertThat(after.size() - before)
                .as("new series, of decisions and status codes")
                .isLessThan(40);
    }
}

package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged jar, started as a newcomer starts it: no cluster, no configuration. */
class RunnableJarIT {
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]+:(\\d+)");

    private final List<String> log = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private Process process;
    private String address;

    @BeforeEach
    void start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dquarkus.http.port=0",
                "-Dquarkus.management.port=0",
                "-jar",
                Path.of("target/quarkus-app/quarkus-run.jar").toAbsolutePath().toString());
        builder.environment().remove("KUBECONFIG");
        builder.environment().remove("KUBERNETES_SERVICE_HOST");
        process = builder.redirectErrorStream(true).start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && address == null) {
            log.add(line);
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                address = "http://localhost:" + listening.group(1);
            } else {
                line = lines.readLine();
            }
        }
        assertThat(address).as("it ended before it listened: %s", log).isNotNull();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    @Test
    void itServesThePageTakesAManifestAndEndsInTime() throws Exception {
        assertThat(get("/").body()).contains("<title>Muster</title>");
        assertThat(get("/api/v1/queues").body()).contains("\"vision\"").contains("\"nlp\"");

        HttpResponse<String> applied = http.send(
                HttpRequest.newBuilder(URI.create(address + "/local/apply"))
                        .POST(HttpRequest.BodyPublishers.ofFile(Path.of("queues/examples/train.yaml")))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(applied.body()).contains("job.batch/train created");
        assertThat(applied.statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/jobs/vision/train").statusCode()).isEqualTo(200);

        process.destroy(); // SIGTERM
        assertThat(process.waitFor(10, TimeUnit.SECONDS))
                .as("it ends within 10 s")
                .isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(log).noneMatch(line -> line.contains(" ERROR "));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}

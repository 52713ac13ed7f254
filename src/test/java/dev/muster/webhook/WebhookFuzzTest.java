package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.cluster.WebhookCertificate;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile bodies at every door, over TLS, 16 at a time: no error of ours, no answer that takes longer than 5 s, no
 * growth. {@code -Dmuster.fuzz=100000} sends so many, and {@code -Dmuster.fuzz.seed=N} begins at another seed.
 */
class WebhookFuzzTest {
    private static final int BODIES = Integer.getInteger("muster.fuzz", 3_000);
    private static final long FIRST = Long.getLong("muster.fuzz.seed", 0);
    private static final int AT_ONCE = 16;
    private static final long MIB = 1 << 20;
    private static final int LARGE = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void noBodyIsAnsweredWithAnErrorOfOurs_NorHangs_NorIsKept() throws IOException {
        DoorCases cases = DoorCases.read();
        Mutator mutator = new Mutator(new ObjectMapper(), cases.reviews());
        Map<String, Decision> decisions = new TreeMap<>(Doors.over(new GivenFacts(cases.facts())));
        List<String> doors = List.copyOf(decisions.keySet());
        WebhookCertificate certificate = WebhookCertificate.in(folder);
        try (WebhookServer server = WebhookServer.open(
                "127.0.0.1",
                0,
                new PemKeyCertOptions()
                        .addCertPath(certificate.cert().toString())
                        .addKeyPath(certificate.key().toString()),
                decisions)) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(certificate.trust()).build();
            String root = "https://127.0.0.1:" + server.port();
            int warmUp = BODIES / 3;
            send(client, root, doors, mutator, FIRST, warmUp);
            long heapBefore = heapInUse();
            int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();

            send(client, root, doors, mutator, FIRST + warmUp, BODIES - warmUp);

            assertThat((heapInUse() - heapBefore) / MIB)
                    .as("MiB of heap that stayed after %d bodies", BODIES - warmUp)
                    .isLessThan(32);
            assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore)
                    .as("threads that stayed")
                    .isLessThan(20);
        }
    }

    private static void send(
            HttpClient client, String root, List<String> doors, Mutator mutator, long first, int count) {
        for (long begin = first; begin < first + count; begin += AT_ONCE) {
            List<CompletableFuture<Object>> answers = new ArrayList<>();
            for (long seed = begin; seed < Math.min(begin + AT_ONCE, first + count); seed++) {
                String door = doors.get((int) (seed % doors.size()));
                String which = "seed " + seed + " at " + door;
                byte[] body = mutator.body(seed);
                answers.add(client.sendAsync(
                                HttpRequest.newBuilder(URI.create(root + door))
                                        .timeout(Duration.ofSeconds(5))
                                        .POST(BodyPublishers.ofByteArray(body))
                                        .build(),
                                BodyHandlers.ofString())
                        .handle((answer, failed) -> {
                            check(body.length, answer, failed, which);
                            return null;
                        }));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        }
    }

    private static void check(int length, HttpResponse<String> answer, Throwable failed, String which) {
        if (length > Limits.DEFAULT.largestBody()) {
            assertThat(failed).as(which + ": a stream that is reset at once").isNotNull();
            assertThat(failed).as(which).isNotInstanceOf(HttpTimeoutException.class);
            return;
        }
        assertThat(failed).as(which).isNull();
        if (length < LARGE || answer.statusCode() != 503) { // 503: too many large ones at a time
            assertThat(answer.statusCode()).as(which + ": " + answer.body()).isIn(200, 400);
        }
        assertThat(answer.body()).as(which).doesNotContain("Exception").doesNotContain("java.");
    }

    private static long heapInUse() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}

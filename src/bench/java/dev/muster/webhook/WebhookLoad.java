package dev.muster.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.cluster.WebhookCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Reviews of 1 to 100 KB at a steady rate, against the webhook and, in turns with it, against a server that does nothing; both
 * live in one process that is bound to one core. A time counts from when the review was due, not from when it was sent,
 * so that one that stalls delays all behind it as an API server would see it.
 *
 * <p>{@code ./mvnw -Pbench -Dquick test -Dbench.main=dev.muster.webhook.WebhookLoad -Dbench='ROUNDS SECONDS RATE'}, usually
 * {@code '5 10 500'}; alone on the machine.
 */
public final class WebhookLoad {
    private static final int BODIES = 200;
    private static final int WARM_UP_SECONDS = 10;

    private final HttpClient client;
    private final List<HttpRequest.BodyPublisher> bodies = new ArrayList<>();
    private final List<String> doors = new ArrayList<>();
    private final int rate;

    private WebhookLoad(HttpClient client, int rate) throws IOException {
        this.client = client;
        this.rate = rate;
        DoorCases cases = DoorCases.read();
        for (int i = 0; i < BODIES; i++) {
            String name = i % 10 < 6
                    ? "validate-says-what-happened"
                    : i % 10 < 9 ? "place-c50-gives-a-nameless-member-its-exact-node" : "default-ignores-disruptions-of-a-new-job";
            ObjectNode review = cases.review(name);
            fill(review, 1_000 + 99_000 * i / (BODIES - 1));
            bodies.add(BodyPublishers.ofByteArray(review.toString().getBytes(StandardCharsets.UTF_8)));
            doors.add(cases.inputs().get(name).path("door").asText());
        }
    }

    /** Adds environment variables to the first container until the review has about so many bytes. */
    private static void fill(ObjectNode review, int bytes) {
        ObjectNode object = (ObjectNode) review.at("/request/object");
        ObjectNode container = (ObjectNode) (object.at("/spec/template").isObject()
                ? object.at("/spec/template/spec/containers/0")
                : object.withArray("/spec/containers").isEmpty()
                        ? ((ArrayNode) object.at("/spec/containers")).addObject().put("name", "main")
                        : object.at("/spec/containers/0"));
        ArrayNode env = container.withArray("/env");
        for (int left = bytes - review.toString().length(); left > 0; left -= 110) {
            env.addObject().put("name", "SETTING_" + env.size()).put("value", "v".repeat(70));
        }
    }

    /** What came of one stretch; times in microseconds. */
    private record Stretch(long p50, long p99, long max, int bad) {
        @Override
        public String toString() {
            return "p50 %.2f ms, p99 %.2f ms, max %.2f ms%s"
                    .formatted(p50 / 1e3, p99 / 1e3, max / 1e3, bad == 0 ? "" : ", " + bad + " NOT ANSWERED");
        }
    }

    private Stretch run(int port, int seconds, boolean door) throws InterruptedException {
        int count = rate * seconds;
        long[] took = new long[count];
        AtomicInteger bad = new AtomicInteger();
        CountDownLatch open = new CountDownLatch(count);
        long begin = System.nanoTime() + 50_000_000;
        for (int i = 0; i < count; i++) {
            long due = begin + i * 1_000_000_000L / rate;
            LockSupport.parkNanos(due - System.nanoTime());
            int at = i;
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://127.0.0.1:" + port + (door ? doors.get(i % BODIES) : "/nothing")))
                    .POST(bodies.get(i % BODIES))
                    .build();
            client.sendAsync(request, BodyHandlers.ofByteArray()).whenComplete((answer, failed) -> {
                took[at] = (System.nanoTime() - due) / 1_000;
                if (failed != null || !isAnswer(answer)) {
                    bad.incrementAndGet();
                }
                open.countDown();
            });
        }
        open.await();
        Arrays.sort(took);
        return new Stretch(took[count / 2], took[(int) (count * 0.99)], took[count - 1], bad.get());
    }

    private static boolean isAnswer(HttpResponse<byte[]> answer) {
        return answer.statusCode() == 200
                && new String(answer.body(), StandardCharsets.UTF_8).contains("\"allowed\":true");
    }

    /** {@code ROUNDS SECONDS RATE}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        int rate = Integer.parseInt(arguments[2]);
        Path folder = Files.createTempDirectory("webhook-load");
        WebhookCertificate certificate = WebhookCertificate.in(folder);
        Process server = new ProcessBuilder(command(folder))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            String[] ports = out.readLine().split(" ");
            int door = Integer.parseInt(ports[0]);
            int nothing = Integer.parseInt(ports[1]);
            WebhookLoad load = new WebhookLoad(
                    HttpClient.newBuilder().sslContext(certificate.trust()).build(), rate);
            load.run(door, WARM_UP_SECONDS, true);
            load.run(nothing, WARM_UP_SECONDS, false);
            Stretch best = null;
            for (int round = 1; round <= rounds; round++) {
                Stretch floor = load.run(nothing, seconds, false);
                Stretch reviews = load.run(door, seconds, true);
                System.out.printf("round %d: nothing %s | webhook %s | %s%n", round, floor, reviews, memory(server));
                best = best == null || reviews.p99() < best.p99() ? reviews : best;
            }
            System.out.printf("best of %d at %d reviews/s: %s%n", rounds, rate, best);
        } finally {
            server.destroy();
        }
    }

    private static List<String> command(Path folder) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/taskset"))) {
            command.addAll(List.of("/usr/bin/taskset", "-c", "0"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:ActiveProcessorCount=1", "-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(WebhookLoadServer.class.getName(), folder.toString()));
        return command;
    }

    /** Resident memory of the server, as Linux tells it. */
    private static String memory(Process server) throws IOException {
        Path status = Path.of("/proc/" + server.pid() + "/status");
        return Files.exists(status)
                ? Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmRSS"))
                        .findFirst()
                        .orElse("")
                : "";
    }
}

package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.cluster.Await;
import dev.muster.cluster.WebhookCertificate;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers at the webhook's port who send too much, too slowly, or nothing; the API server is answered all the while. */
@Timeout(60)
class HostileCallersTest {
    private static final int MIB = 1 << 20;
    private static final Limits SMALL =
            new Limits(8 * MIB, 12L * MIB, Duration.ofSeconds(4), Duration.ofMillis(700), 40);
    private static final String REVIEW = "{\"request\":{\"uid\":\"r-1\",\"operation\":\"CREATE\",\"object\":{}}}";

    @TempDir
    static Path folder;

    /** Waits long for a body, so that only the bound of all together refuses any. */
    private static final Limits PATIENT =
            new Limits(8 * MIB, 12L * MIB, Duration.ofSeconds(50), Duration.ofSeconds(50), 40);

    private static WebhookServer server;
    private static WebhookServer patient;
    private static HttpClient client;
    private static SSLContext trust;

    @BeforeAll
    static void open() {
        WebhookCertificate certificate = WebhookCertificate.in(folder);
        server = open(certificate, SMALL);
        patient = open(certificate, PATIENT);
        trust = certificate.trust();
        client = HttpClient.newBuilder().sslContext(trust).build();
    }

    private static WebhookServer open(WebhookCertificate certificate, Limits limits) {
        return WebhookServer.open(
                "127.0.0.1",
                0,
                new PemKeyCertOptions()
                        .addCertPath(certificate.cert().toString())
                        .addKeyPath(certificate.key().toString()),
                Doors.over(new GivenFacts(new ObjectMapper().createObjectNode())),
                limits);
    }

    @AfterAll
    static void close() {
        server.close();
        patient.close();
    }

    /** One connection, by hand. */
    private static final class Stranger implements AutoCloseable {
        private final SSLSocket socket;
        private final OutputStream out;

        Stranger() throws IOException {
            this(server);
        }

        Stranger(WebhookServer at) throws IOException {
            socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", at.port());
            socket.setSoTimeout(20_000);
            socket.startHandshake();
            out = socket.getOutputStream();
        }

        Stranger says(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return this;
        }

        Stranger announces(long bytes) throws IOException {
            return says(
                    "POST " + Doors.VALIDATE_JOBS + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + bytes + "\r\n\r\n");
        }

        /** Sends so many bytes; how many of them were taken before the connection ended. */
        long sends(long bytes) {
            byte[] part = new byte[64 << 10];
            long sent = 0;
            try {
                while (sent < bytes) {
                    out.write(part, 0, (int) Math.min(part.length, bytes - sent));
                    sent += part.length;
                }
                out.flush();
            } catch (IOException closed) {
                return sent;
            }
            return bytes;
        }

        /** The first line of the answer; empty when the connection ended without one. */
        String hears() {
            try {
                String line = new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                        .readLine();
                return line == null ? "" : line;
            } catch (SocketTimeoutException nothing) {
                return "silence";
            } catch (IOException closed) {
                return "";
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static void assertStillAnswers() {
        assertStillAnswers(server);
    }

    private static void assertStillAnswers(WebhookServer at) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + at.port() + Doors.VALIDATE_JOBS))
                            .timeout(Duration.ofSeconds(1))
                            .POST(BodyPublishers.ofString(REVIEW))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        } catch (IOException e) {
            throw new AssertionError("a review of the API server was not answered within its second", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Test
    void aBodyOf100MegabytesIsNotRead() throws IOException {
        try (Stranger stranger = new Stranger()) {
            long taken = stranger.announces(100L * MIB).sends(100L * MIB);

            assertThat(taken).isLessThan(40L * MIB); // 8 MiB, and what the sockets of both sides hold
            assertThat(stranger.hears()).isIn("HTTP/1.1 413 Request Entity Too Large", "");
        }
        assertStillAnswers();
    }

    @Test
    void aBodyThatTricklesIsGivenUp_AndSoIsAConnectionThatSaysNothing() throws IOException {
        try (Stranger slow = new Stranger();
                Stranger silent = new Stranger();
                Stranger slowHeader = new Stranger()) {
            slow.announces(1_000).says("{");
            slowHeader.says("POST /validate/jobs HTTP/1.1\r\nHost");
            assertStillAnswers();

            long begun = System.nanoTime();
            assertThat(silent.hears()).isEmpty();
            assertThat(slowHeader.hears()).isEmpty();
            assertThat(slow.hears()).isIn("HTTP/1.1 408 Request Timeout", "");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        }
        assertStillAnswers();
    }

    @Test
    void manyHalfBodiesHoldNoMoreThanTheBound_AndLeaveRoomForReviews() throws IOException {
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) { // 12 MiB and a little, of 12
                Stranger stranger = new Stranger(patient);
                strangers.add(stranger);
                stranger.announces(4L * MIB).sends(3L * MIB + 1_000);
            }
            // one of them is refused, long before any has to be given up, and makes room for reviews
            List<String> heard = new ArrayList<>();
            for (Stranger stranger : strangers) {
                stranger.socket.setSoTimeout(3_000);
                heard.add(stranger.hears());
            }
            assertThat(heard).filteredOn("silence"::equals).hasSize(3);
            Await.until("a review is answered", () -> {
                assertStillAnswers(patient);
                return true;
            });
        } finally {
            for (Stranger stranger : strangers) {
                stranger.close();
            }
        }
        try (Stranger late = new Stranger(patient)) {
            Await.until("what they held is free again", () -> {
                assertStillAnswers(patient);
                return true;
            });
            late.announces(100L * MIB).sends(13L * MIB);
            assertThat(late.hears()).isIn("HTTP/1.1 413 Request Entity Too Large", "");
        }
    }

    @Test
    void moreConnectionsThanTheBoundAreClosed_AndOpenOnesGoOn() throws IOException {
        assertStillAnswers(); // on a connection that stays open
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                strangers.add(new Stranger());
            }
            assertStillAnswers();
        } finally {
            for (Stranger stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void eightMegabytesOfTheSmallestValuesAreRefusedAndNotMadeATree() throws IOException, InterruptedException {
        String tiny = "{},".repeat(8 * MIB / 3 - 100);
        String body = "{\"request\":{\"uid\":\"r\",\"object\":[" + tiny + "{}]}}";

        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + Doors.VALIDATE_JOBS))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(400);
    }
}

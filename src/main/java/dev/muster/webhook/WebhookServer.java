package dev.muster.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLOptions;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * The admission webhook on its own TLS port: paths to pure decisions, and nothing else.
 *
 * <p>It owns a Vert.x with one event loop and a few workers. The Kubernetes client shares Quarkus' Vert.x and parses a
 * whole list on an event loop (10,000 jobs: over 2 s), which a webhook with a limit of 1 s must not wait for. Decisions run
 * on workers, some for each path, so that one that waits for the engine holds up neither other connections nor other doors.
 */
public final class WebhookServer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WebhookServer.class);
    private static final int WORKERS = 4;
    /** Tokens of one review: a Job of 10,000 containers has 400,000. A tree takes up to 90 bytes for two of them. */
    private static final long MOST_TOKENS = 3_000_000;
    /** How long a large review waits for others to be decided. */
    private static final long PATIENCE_MILLIS = 1_000;
    /** Bytes of a body that may be on their way over HTTP/2: most reviews come in one go. */
    private static final int WINDOW = 1 << 20;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MOST_TOKENS)
                            .build())
                    .build())
            .build();

    private final Vertx vertx;
    private final HttpServer server;
    private final Map<String, Decision> decisions;
    private final Limits limits;
    private final BodyIntake intake;
    /** Bytes that may be decided about at the same time; a tree is many times as large as its text. */
    private final Semaphore deciding;

    /** Connections that have sent no request yet, with the timer that closes them. On the event loop only, as the next. */
    private final Map<HttpConnection, Long> silent = new IdentityHashMap<>();

    private int connections;
    private final Map<String, WorkerExecutor> workers = new HashMap<>();

    private WebhookServer(Vertx vertx, HttpServer server, Map<String, Decision> decisions, Limits limits) {
        this.vertx = vertx;
        this.server = server;
        this.decisions = Map.copyOf(decisions);
        this.limits = limits;
        this.intake = new BodyIntake(vertx, limits);
        this.deciding = new Semaphore(limits.largestBody());
        decisions.keySet().forEach(path -> workers.put(path, vertx.createSharedWorkerExecutor("door" + path, WORKERS)));
    }

    /** What goes back: a status and a body. */
    private record Reply(int status, Buffer body) {
        static Reply text(int status, String text) {
            return new Reply(status, Buffer.buffer(text));
        }
    }

    /** Opens the port (0 picks a free one) and answers each path by its decision; throws if it cannot listen or the key is odd. */
    public static WebhookServer open(String host, int port, KeyCertOptions key, Map<String, Decision> decisions) {
        return open(host, port, key, decisions, Limits.DEFAULT);
    }

    /** As {@link #open(String, int, KeyCertOptions, Map)}, with other limits. */
    public static WebhookServer open(
            String host, int port, KeyCertOptions key, Map<String, Decision> decisions, Limits limits) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(WORKERS));
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setSsl(true)
                .setUseAlpn(true)
                .setInitialSettings(
                        new Http2Settings().setInitialWindowSize(WINDOW).setMaxConcurrentStreams(100))
                .setHttp2ConnectionWindowSize(4 * WINDOW)
                .setIdleTimeout(120)
                .setKeyCertOptions(key);
        WebhookServer opened = new WebhookServer(vertx, vertx.createHttpServer(options), decisions, limits);
        opened.server.connectionHandler(opened::connected);
        opened.server.requestHandler(opened::receive);
        try {
            opened.server.listen().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
            return opened;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            vertx.close();
            throw new IllegalStateException("interrupted while the webhook begins to listen", e);
        } catch (ExecutionException | TimeoutException e) {
            vertx.close();
            throw new IllegalStateException("the webhook cannot listen on " + host + ":" + port, e);
        }
    }

    /** The port it listens on. */
    public int port() {
        return server.actualPort();
    }

    /** Serves a new certificate from the next connection on; open connections stay. Does not wait. */
    public void renew(SSLOptions renewed) {
        server.updateSSLOptions(renewed)
                .onFailure(e -> LOG.warnf("the webhook keeps its old certificate: %s", e.getMessage()));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Closes what comes on top of the bound, and what says nothing. */
    private void connected(HttpConnection connection) {
        connections++;
        connection.closeHandler(closed -> {
            connections--;
            hasSpoken(connection);
        });
        if (connections > limits.mostConnections()) {
            connection.close();
            return;
        }
        silent.put(connection, vertx.setTimer(limits.requestWithin().toMillis(), late -> {
            silent.remove(connection);
            connection.close();
        }));
    }

    private void hasSpoken(HttpConnection connection) {
        Long timer = silent.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }

    private void receive(HttpServerRequest request) {
        hasSpoken(request.connection());
        Decision decision = decisions.get(request.path());
        if (decision == null || !HttpMethod.POST.equals(request.method())) {
            send(request, Reply.text(404, "there is no such door"));
            return;
        }
        intake.receive(
                request,
                body -> decide(request, body, decision),
                refusal -> send(request, Reply.text(refusal.status, refusal.text)));
    }

    private void decide(HttpServerRequest request, BodyIntake.Body body, Decision decision) {
        // each door has workers of its own: one that waits for an answer must not keep pods from their places
        Objects.requireNonNull(workers.get(request.path()), "every path has workers")
                .executeBlocking(() -> inTurn(body.bytes(), decision), false)
                .onComplete(done -> body.letGo())
                .onSuccess(reply -> send(request, reply))
                .onFailure(e -> {
                    LOG.errorf(e, "a review at %s could not be answered", request.path());
                    send(request, Reply.text(500, "the review could not be answered"));
                });
    }

    private Reply inTurn(byte[] body, Decision decision) throws JsonProcessingException, InterruptedException {
        if (!deciding.tryAcquire(body.length, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            return Reply.text(503, "too many large reviews are being decided");
        }
        try {
            return reply(body, decision);
        } finally {
            deciding.release(body.length);
        }
    }

    private static void send(HttpServerRequest request, Reply reply) {
        String type = reply.status() == 200 ? "application/json" : "text/plain; charset=utf-8";
        request.response()
                .setStatusCode(reply.status())
                .putHeader("Content-Type", type)
                .end(reply.body());
    }

    private static Reply reply(byte[] body, Decision decision) throws JsonProcessingException {
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (IOException e) {
            return Reply.text(400, "the body is no JSON");
        }
        JsonNode asked = review == null ? JSON.missingNode() : review.path("request");
        if (!asked.path("uid").isTextual()) {
            return Reply.text(400, "the body is no AdmissionReview: it has no request.uid");
        }
        return new Reply(200, Buffer.buffer(JSON.writeValueAsBytes(review(asked, decision.on(asked)))));
    }

    private static ObjectNode review(JsonNode asked, Verdict verdict) throws JsonProcessingException {
        ObjectNode out = JSON.createObjectNode();
        out.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = out.putObject("response");
        response.put("uid", asked.path("uid").asText()).put("allowed", verdict.allowed());
        if (!verdict.warnings().isEmpty()) {
            verdict.warnings().forEach(response.putArray("warnings")::add);
        }
        if (!verdict.allowed()) {
            response.putObject("status")
                    .put("code", 422)
                    .put("reason", "Invalid")
                    .put("message", verdict.message());
        } else if (!verdict.patch().isEmpty()) {
            response.put("patchType", "JSONPatch");
            response.put("patch", Base64.getEncoder().encodeToString(JSON.writeValueAsBytes(verdict.patch())));
        }
        return out;
    }
}

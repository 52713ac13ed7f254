package dev.muster.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLOptions;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
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
    /** The largest body that is read, in bytes: 8 MiB, above the 3 MiB that an API server stores, twice. */
    public static final int LARGEST_BODY = 8 << 20;

    private static final Logger LOG = Logger.getLogger(WebhookServer.class);
    private static final int WORKERS = 4;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final HttpServer server;
    private final Map<String, Decision> decisions;
    private final Map<String, WorkerExecutor> workers = new HashMap<>();

    private WebhookServer(Vertx vertx, HttpServer server, Map<String, Decision> decisions) {
        this.vertx = vertx;
        this.server = server;
        this.decisions = Map.copyOf(decisions);
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
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(WORKERS));
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setSsl(true)
                .setUseAlpn(true)
                .setIdleTimeout(120)
                .setKeyCertOptions(key);
        WebhookServer opened = new WebhookServer(vertx, vertx.createHttpServer(options), decisions);
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

    private void receive(HttpServerRequest request) {
        Decision decision = decisions.get(request.path());
        if (decision == null || !HttpMethod.POST.equals(request.method())) {
            send(request, Reply.text(404, "there is no such door"));
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() + part.length() <= LARGEST_BODY) {
                body.appendBuffer(part);
            } else if (!request.response().ended()) {
                send(request, Reply.text(413, "the review has more than " + LARGEST_BODY + " bytes"));
                request.connection().close();
            }
        });
        request.exceptionHandler(e -> LOG.debugf("a review was cut off: %s", e.getMessage()));
        request.endHandler(end -> {
            if (!request.response().ended()) {
                decide(request, body, decision);
            }
        });
    }

    private void decide(HttpServerRequest request, Buffer body, Decision decision) {
        // each door has workers of its own: one that waits for an answer must not keep pods from their places
        Objects.requireNonNull(workers.get(request.path()), "every path has workers")
                .executeBlocking(() -> reply(body.getBytes(), decision), false)
                .onSuccess(reply -> send(request, reply))
                .onFailure(e -> {
                    LOG.errorf(e, "a review at %s could not be answered", request.path());
                    send(request, Reply.text(500, "the review could not be answered"));
                });
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

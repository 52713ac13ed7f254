package dev.muster.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The process that {@link WebhookLoad} puts under load: the webhook, and beside it a server that reads a body and answers
 * the same few bytes to all. It prints both ports and ends with its input.
 */
final class WebhookLoadServer {
    private WebhookLoadServer() {}

    /** {@code folder} holds the certificate. */
    public static void main(String[] folder) throws IOException {
        Path at = Path.of(folder[0]);
        PemKeyCertOptions key = new PemKeyCertOptions()
                .addCertPath(at.resolve("tls.crt").toString())
                .addKeyPath(at.resolve("tls.key").toString());
        WebhookServer door = WebhookServer.open(
                "127.0.0.1",
                0,
                key,
                Doors.over(new HeldFacts(new GivenFacts(DoorCases.read().facts()))));
        HttpServer nothing = nothing(key);
        System.out.println(door.port() + " " + nothing.actualPort());
        while (System.in.read() >= 0) {
            // until the parent closes it
        }
        System.exit(0);
    }

    private static HttpServer nothing(PemKeyCertOptions key) {
        Buffer answer = Buffer.buffer("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":"
                + "{\"uid\":\"0df28fbd-5f5f-11e8-bc74-36e6bb280816\",\"allowed\":true}}");
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        return vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setSsl(true)
                        .setUseAlpn(true)
                        .setKeyCertOptions(key))
                .requestHandler(request -> request.body()
                        .onSuccess(body -> request.response()
                                .putHeader("Content-Type", "application/json")
                                .end(answer)))
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}

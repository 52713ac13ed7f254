package dev.muster.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Receives bodies: each bounded in size and time, and all of them together in memory. Lives on one event loop. */
final class BodyIntake {
    private static final Logger LOG = Logger.getLogger(BodyIntake.class);

    /** What HTTP/2 says to a peer that asks for too much (RFC 9113). */
    private static final long ENHANCE_YOUR_CALM = 0xb;

    private final Vertx vertx;
    private final Limits limits;
    private long held;

    BodyIntake(Vertx vertx, Limits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    /** Why a body is not taken. */
    enum Refusal {
        TOO_LARGE(413, "the review is too large"),
        TOO_SLOW(408, "the review took too long to arrive"),
        TOO_MANY(503, "too many reviews are being received");

        final int status;
        final String text;

        Refusal(int status, String text) {
            this.status = status;
            this.text = text;
        }
    }

    /** A body, which counts as held until it is let go. */
    final class Body {
        private final HttpServerRequest request;
        private final Consumer<Refusal> refused;
        private final long timer;
        private Buffer bytes = Buffer.buffer();
        private boolean over;

        private Body(HttpServerRequest request, Consumer<Body> whole, Consumer<Refusal> refused) {
            this.request = request;
            this.refused = refused;
            this.timer = vertx.setTimer(limits.bodyWithin().toMillis(), late -> refuse(Refusal.TOO_SLOW));
            request.handler(this::part);
            request.exceptionHandler(this::cutOff);
            request.endHandler(end -> {
                vertx.cancelTimer(timer);
                if (!over) {
                    whole.accept(this);
                }
            });
        }

        byte[] bytes() {
            return bytes.getBytes();
        }

        /** To be called once it has been answered. */
        void letGo() {
            if (!over) {
                over = true;
                held -= bytes.length();
                bytes = Buffer.buffer();
            }
        }

        private void part(Buffer part) {
            if (over) {
                return;
            }
            if (bytes.length() + part.length() > limits.largestBody()) {
                refuse(Refusal.TOO_LARGE);
            } else if (held + part.length() > limits.mostHeld()) {
                refuse(Refusal.TOO_MANY);
            } else {
                held += part.length();
                bytes.appendBuffer(part);
            }
        }

        private void cutOff(Throwable e) {
            LOG.debugf("a review was cut off: %s", e.getMessage());
            vertx.cancelTimer(timer);
            letGo();
        }

        /**
         * No further byte of it is read. Over HTTP/1.1 it is answered and its connection closed; over HTTP/2 its stream alone
         * is reset, for others of the same API server share the connection.
         */
        private void refuse(Refusal refusal) {
            if (over) {
                return;
            }
            vertx.cancelTimer(timer);
            letGo();
            if (request.version() == HttpVersion.HTTP_2) {
                request.response().reset(ENHANCE_YOUR_CALM);
            } else {
                refused.accept(refusal);
                request.connection().close();
            }
        }
    }

    /** Begins to receive the body of a request; one of both is called later, at most once. */
    void receive(HttpServerRequest request, Consumer<Body> whole, Consumer<Refusal> refused) {
        new Body(request, whole, refused);
    }
}

package dev.muster.web;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.web.access.Reach;
import io.smallrye.mutiny.subscription.Cancellable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Serves the page and its stream over given views, and can be stopped and started again at the same port. */
final class PageServer implements AutoCloseable {
    private static final Path FILES = Path.of("src/main/resources/META-INF/resources");
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

    private final GivenViews views;
    /** The token that the stream asks for; empty: none. */
    private final String token;

    private final AtomicLong seconds = new AtomicLong(1_790_000_000);
    private int port;
    private HttpServer http;
    private ExecutorService threads;
    private ScheduledExecutorService refresher;

    private PageServer(GivenViews views, String token) {
        this.views = views;
        this.token = token;
        begin();
    }

    static PageServer over(GivenViews views) {
        return new PageServer(views, "");
    }

    /** As on a cluster: the stream is for those who have this token. */
    static PageServer asking(GivenViews views, String token) {
        return new PageServer(views, token);
    }

    URI root() {
        return URI.create("http://localhost:" + port + "/");
    }

    /** As after a restart: nothing is remembered. */
    void begin() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " cannot be listened at", e);
        }
        port = http.getAddress().getPort();
        LiveFeed feed = new LiveFeed(
                views,
                () -> new ClusterInfo.About("local", Instant.ofEpochSecond(seconds.incrementAndGet()), 600),
                JsonMapper.builder()
                        .addModule(new JavaTimeModule())
                        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                        .build());
        threads = Executors.newCachedThreadPool();
        refresher = Executors.newSingleThreadScheduledExecutor();
        http.setExecutor(threads);
        http.createContext("/", PageServer::file);
        http.createContext("/api/v1/stream", exchange -> {
            if (token.isEmpty()
                    || ("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                stream(exchange, feed);
            } else {
                refuse(exchange);
            }
        });
        http.start();
        refresher.scheduleWithFixedDelay(() -> refresh(feed), 0, 100, TimeUnit.MILLISECONDS);
    }

    /** As when the process is gone: connections end, and new ones are refused. */
    void end() {
        refresher.shutdownNow();
        http.stop(0);
        threads.shutdownNow();
    }

    @Override
    public void close() {
        end();
    }

    private void refresh(LiveFeed feed) {
        try {
            feed.refresh();
        } catch (IllegalStateException noAnswer) {
            if (views.answers) {
                throw noAnswer;
            }
        }
    }

    private static void file(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Path file = FILES.resolve(path.equals("/") ? "index.html" : path.substring(1));
        try (exchange) {
            if (!Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String ending = file.toString().substring(file.toString().lastIndexOf('.') + 1);
            exchange.getResponseHeaders().set("Content-Type", TYPES.getOrDefault(ending, "text/plain"));
            byte[] bytes = Files.readAllBytes(file);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void refuse(HttpExchange exchange) throws IOException {
        byte[] problem = "{\"status\":401,\"detail\":\"The token is not one that the API server accepts.\"}"
                .getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", ProblemJson.MEDIA_TYPE);
            exchange.sendResponseHeaders(401, problem.length);
            exchange.getResponseBody().write(problem);
        }
    }

    private static void stream(HttpExchange exchange, LiveFeed feed) throws IOException {
        BlockingQueue<LiveFeed.Update> updates = new LinkedBlockingQueue<>();
        Cancellable subscription = feed.updates(Reach.ALL).subscribe().with(updates::add);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (exchange;
                OutputStream out = exchange.getResponseBody()) {
            while (true) {
                LiveFeed.Update update = updates.take();
                out.write(("event:" + update.section() + "\ndata:" + update.content() + "\n\n")
                        .getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } finally {
            subscription.cancel();
        }
    }
}

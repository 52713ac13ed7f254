package dev.muster.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Muster as a process of its own: the packaged jar, with its restricted service account, its own ports and certificate.
 *
 * <p>Its log is {@code target/it-logs/NAME.log}. It can be killed and started again; ports, certificate and name stay the
 * same, the token is minted anew.
 */
public final class MusterProcess implements AutoCloseable {
    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");
    private static final Path LOGS = Path.of("target", "it-logs");
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(20);

    private final ControlPlane cluster;
    private final String name;
    private final Path folder;
    private final WebhookCertificate certificate;
    private final Ports ports;
    private final Map<String, String> properties = new TreeMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    @Nullable
    private Process process;

    /** Where it finds the API server; null for the control plane's own address. */
    @Nullable
    private String server;

    private MusterProcess(ControlPlane cluster, String name, WebhookCertificate certificate) {
        this.cluster = cluster;
        this.name = name;
        this.folder = LOGS.resolve(name);
        this.certificate = certificate;
        this.ports = Ports.free();
    }

    /** One that is not started yet; its name must differ from those that run beside it. */
    public static MusterProcess named(ControlPlane cluster, String name) {
        return new MusterProcess(cluster, name, WebhookCertificate.in(LOGS.resolve(name)));
    }

    /** Another one that is not started yet, with the same certificate and the keys that were set so far. */
    public MusterProcess twin(String twinsName) {
        MusterProcess twin = new MusterProcess(cluster, twinsName, certificate);
        twin.properties.putAll(properties);
        return twin;
    }

    /** Lets it reach the API server through this proxy, from the next start on. */
    public MusterProcess through(ApiProxy proxy) {
        server = proxy.url();
        return this;
    }

    /** Sets a configuration key, such as {@code muster.webhook-port}, for the next start. */
    public MusterProcess with(String key, String value) {
        properties.put(key, value);
        return this;
    }

    /** Starts it, and waits until it is ready. */
    public MusterProcess start() {
        startUnready();
        awaitReady();
        return this;
    }

    /** Starts it, and does not wait. */
    public MusterProcess startUnready() {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        if (!Files.exists(JAR)) {
            throw new IllegalStateException(JAR + " is missing. Maybe run ./mvnw package first");
        }
        try {
            Files.createDirectories(folder);
            String token = cluster.musterToken(Duration.ofHours(2));
            String text = server == null ? cluster.kubeconfigFor(token) : cluster.kubeconfigFor(token, server);
            Path kubeconfig =
                    Files.writeString(folder.resolve("kubeconfig"), text).toAbsolutePath();
            ProcessBuilder builder = new ProcessBuilder(command()).redirectErrorStream(true);
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started", e);
        }
        return this;
    }

    /** Waits until {@code /q/health/ready} says yes; fails at once if the process has ended. */
    public void awaitReady() {
        Await.until(name + " is ready or has ended; its log is " + log(), START, () -> !isAlive() || isReady(), x -> x);
        if (!isAlive()) {
            throw new IllegalStateException(name + " ended with " + running().exitValue() + ":\n" + endOfLog());
        }
    }

    /** Whether {@code /q/health/ready} says yes now. */
    public boolean isReady() {
        try {
            return get(managementUri("/q/health/ready")).statusCode() == 200;
        } catch (UncheckedIOException e) {
            return false; // nobody listens yet, or any more
        }
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Ends it without warning (SIGKILL), and waits until it is gone. */
    public void kill() {
        running().destroyForcibly();
        awaitEnd();
    }

    /** Asks it to end (SIGTERM), and waits until it is gone. Returns its exit code: 143 when it ended as it should. */
    public int stop() {
        running().destroy();
        awaitEnd();
        return running().exitValue();
    }

    /** Stops it without letting it end (SIGSTOP): a process that hangs. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on after {@link #freeze}. */
    public void thaw() {
        signal("CONT");
    }

    /** The value of each series of {@code /q/metrics}, by its name with labels as printed. */
    public Map<String, Double> metrics() {
        Map<String, Double> values = new TreeMap<>();
        get(managementUri("/q/metrics"))
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int space = line.lastIndexOf(' ');
                    if (space > 0) {
                        values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
                    }
                });
        return values;
    }

    /** CPU time since the start, user and system; zero when the system does not tell. */
    public Duration cpuTime() {
        return running().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public long pid() {
        return running().pid();
    }

    /** What a webhook configuration must trust: PEM in base64. */
    public String caBundle() {
        return certificate.caBundle();
    }

    /** What a client needs to trust its certificate. */
    public SSLContext trust() {
        return certificate.trust();
    }

    /** {@code https://127.0.0.1:PORT} of the webhook, and a path. */
    public URI webhookUri(String path) {
        return URI.create("https://127.0.0.1:" + ports.webhook() + path);
    }

    /** {@code http://127.0.0.1:PORT} of page and API, and a path. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + ports.http() + path);
    }

    /** {@code http://127.0.0.1:PORT} of health and metrics, and a path. */
    public URI managementUri(String path) {
        return URI.create("http://127.0.0.1:" + ports.management() + path);
    }

    /** A GET, up to 5 s; throws {@link UncheckedIOException} without an answer. */
    public HttpResponse<String> get(URI uri) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + uri, e);
        }
    }

    public Path log() {
        return LOGS.resolve(name + ".log");
    }

    /** Kills it if it runs; a test that must end it in order calls {@link #stop}. */
    @Override
    public void close() {
        if (isAlive()) {
            kill();
        }
    }

    private List<String> command() {
        Map<String, String> all = new TreeMap<>(Map.of(
                "muster.mode", "cluster",
                "muster.status.anonymous", "true", // most tests read REST; who may is StatusAccessIT's question
                "muster.webhook-port", Integer.toString(ports.webhook()),
                "quarkus.http.host", "127.0.0.1",
                "quarkus.http.port", Integer.toString(ports.http()),
                "quarkus.management.host", "127.0.0.1",
                "quarkus.management.port", Integer.toString(ports.management()),
                "quarkus.tls.webhook.key-store.pem.0.cert",
                        certificate.cert().toAbsolutePath().toString(),
                "quarkus.tls.webhook.key-store.pem.0.key",
                        certificate.key().toAbsolutePath().toString()));
        all.putAll(properties);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        all.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", JAR.toAbsolutePath().toString()));
        return command;
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }

    private void awaitEnd() {
        try {
            if (!running().waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                running().destroyForcibly();
                throw new AssertionError(name + " did not end within " + STOP.toSeconds() + " s:\n" + endOfLog());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ends", e);
        }
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("kill cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return "(" + log() + " cannot be read: " + e.getMessage() + ")";
        }
    }

    private record Ports(int http, int management, int webhook) {
        static Ports free() {
            InetAddress here = InetAddress.getLoopbackAddress();
            try (ServerSocket a = new ServerSocket(0, 1, here);
                    ServerSocket b = new ServerSocket(0, 1, here);
                    ServerSocket c = new ServerSocket(0, 1, here)) {
                return new Ports(a.getLocalPort(), b.getLocalPort(), c.getLocalPort());
            } catch (IOException e) {
                throw new UncheckedIOException("no free ports", e);
            }
        }
    }
}

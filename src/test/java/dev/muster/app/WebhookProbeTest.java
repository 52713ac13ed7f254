package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.app.WebhookTrust.Installed;
import dev.muster.cluster.WebhookCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API server would say of the certificate that a real TLS port serves. */
class WebhookProbeTest {
    private static final String MUTATING = "MutatingWebhookConfiguration muster";
    private static final String VALIDATING = "ValidatingWebhookConfiguration muster";
    private static final String SERVICE = "muster-webhook.muster-system.svc";
    private static final Instant NOW = Instant.now().plus(Duration.ofMinutes(1));

    @TempDir
    private static Path folder;

    private static String authority = "";
    private static String another = "";

    private final WebhookProbe probe = new WebhookProbe(Duration.ofSeconds(2));

    /** A port that serves {@code folder}'s certificate as long as it is open. */
    private static final class TlsPort implements AutoCloseable {
        private final SSLServerSocket socket;

        TlsPort(Path keys) throws IOException, GeneralSecurityException {
            KeyStore store = KeyStore.getInstance(keys.toFile(), "test-only".toCharArray());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, "test-only".toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            socket = (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::serve, "tls-port");
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (SSLSocket caller = (SSLSocket) socket.accept()) {
                    caller.startHandshake();
                    assertThat(caller.getInputStream().read()).isNegative();
                } catch (IOException e) {
                    if (!socket.isClosed()) {
                        throw new UncheckedIOException("the port could not serve", e);
                    }
                }
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** What {@code webhook/make-certs} makes, as a key store that Java can serve. */
    @BeforeAll
    static void certificates() throws IOException, InterruptedException {
        run(Path.of("webhook", "make-certs").toString(), folder.toString());
        run(
                "openssl",
                "pkcs12",
                "-export",
                "-in",
                file("tls.crt"),
                "-inkey",
                file("tls.key"),
                "-out",
                file("tls.p12"),
                "-passout",
                "pass:test-only");
        authority = Files.readString(folder.resolve("ca.crt"));
        another = Files.readString(
                WebhookCertificate.in(folder.resolve("another")).cert());
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private List<String> problems(Instant now, WebhookCaller... callers) throws IOException, GeneralSecurityException {
        try (TlsPort port = new TlsPort(folder.resolve("tls.p12"))) {
            return probe.problems(port.port(), new Installed(List.of(callers), List.of()), now);
        }
    }

    @Test
    void whatMakeCertsMakes_IsGoodForTheServiceAndForThisMachine() throws Exception {
        assertThat(problems(
                        NOW,
                        new WebhookCaller(MUTATING, SERVICE, authority),
                        new WebhookCaller(VALIDATING, SERVICE, another + authority),
                        new WebhookCaller(VALIDATING, "127.0.0.1", authority)))
                .isEmpty();
    }

    @Test
    void oneConfigurationThatTrustsAnotherAuthority_IsNamed_ThoughTheOtherTrusts() throws Exception {
        assertThat(problems(
                        NOW,
                        new WebhookCaller(VALIDATING, SERVICE, authority),
                        new WebhookCaller(MUTATING, SERVICE, another)))
                .singleElement()
                .asString()
                .startsWith(MUTATING + " does not trust the certificate, which CN=muster webhook CA signed: ")
                .endsWith(". Maybe run webhook/make-certs DIR --apply, which gives every configuration the authority"
                        + " that signs");
    }

    @Test
    void aServiceOfAnotherName_IsNamedWithTheNamesThatTheCertificateHas() throws Exception {
        assertThat(problems(
                        NOW,
                        new WebhookCaller(MUTATING, "muster-webhook.elsewhere.svc", authority),
                        new WebhookCaller(MUTATING, "10.0.0.1", authority)))
                .containsExactly(
                        MUTATING + " calls muster-webhook.elsewhere.svc, and the certificate is valid for [" + SERVICE
                                + ", muster.muster-system.svc, localhost] only. Maybe run webhook/make-certs DIR --apply, or add the name to the"
                                + " certificate",
                        MUTATING + " calls 10.0.0.1, and the certificate is valid for [127.0.0.1] only. Maybe run"
                                + " webhook/make-certs DIR --apply, or add the name to the certificate");
    }

    @Test
    void aConfigurationWithoutCaBundle_OrWithOneThatCannotBeRead_TrustsNobody() throws Exception {
        List<String> problems = problems(
                NOW,
                new WebhookCaller(MUTATING, SERVICE, ""),
                new WebhookCaller(
                        VALIDATING, SERVICE, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"));

        assertThat(problems).hasSize(2);
        assertThat(problems.get(0))
                .isEqualTo(
                        MUTATING + " names no caBundle for " + SERVICE + ". Maybe run webhook/make-certs DIR --apply,"
                                + " or name the API server's own authorities in muster.cluster.webhook-ca");
        assertThat(problems.get(1)).startsWith(VALIDATING + " has a caBundle that cannot be read: ");
    }

    @Test
    void aCertificateThatHasRunOutOrIsNotValidYet_IsSaidOnce_AndAlsoWhenNothingIsInstalled() throws Exception {
        WebhookCaller[] both = {
            new WebhookCaller(MUTATING, SERVICE, authority), new WebhookCaller(VALIDATING, SERVICE, authority)
        };
        for (Instant now : List.of(NOW.plus(Duration.ofDays(91)), NOW.minus(Duration.ofDays(1)))) {
            assertThat(problems(now, both))
                    .isEqualTo(problems(now))
                    .singleElement()
                    .asString()
                    .startsWith("the certificate is valid from ")
                    .endsWith("only. Maybe run webhook/make-certs DIR --apply, which renews it; or the clock is wrong");
        }
        assertThat(problems(NOW)).isEmpty();
    }

    @Test
    void aPortThatDoesNotAnswer_OrNotOverTls_IsAProblem_WhateverIsInstalled() throws Exception {
        WebhookProbe hasty = new WebhookProbe(Duration.ofMillis(200));
        Installed nothing = new Installed(List.of(), List.of());
        int closed;
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = mute.getLocalPort();
            assertThat(hasty.problems(closed, nothing, NOW))
                    .singleElement()
                    .asString()
                    .startsWith("port " + closed + " does not answer over TLS: ");
        }
        assertThat(probe.problems(closed, nothing, NOW))
                .containsExactly("port " + closed + " does not answer over TLS: Connection refused."
                        + " Maybe the key does not belong to the certificate");
    }
}

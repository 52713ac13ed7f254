package dev.muster.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** A TLS handshake with a port of this machine, to see what a client that trusts a given authority would see. */
final class TlsProbe {
    private final Duration patience;

    /** {@code patience} bounds the connection and each answer. */
    TlsProbe(Duration patience) {
        this.patience = patience;
    }

    /**
     * Shakes hands; gives what is wrong, and nothing when all is well.
     *
     * @param authority PEM text of what must have signed; without it every certificate that is valid now is accepted
     */
    Optional<String> problem(int port, Optional<byte[]> authority, Instant now) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(authority), null);
            int millis = Math.toIntExact(patience.toMillis());
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), millis);
                socket.setSoTimeout(millis);
                socket.startHandshake();
                return validity((X509Certificate) socket.getSession().getPeerCertificates()[0], now);
            }
        } catch (IOException | GeneralSecurityException e) {
            return Optional.of("port " + port + " does not answer over TLS as it should: " + e.getMessage());
        }
    }

    private static Optional<String> validity(X509Certificate served, Instant now) {
        boolean valid = !now.isBefore(served.getNotBefore().toInstant())
                && !now.isAfter(served.getNotAfter().toInstant());
        return valid
                ? Optional.empty()
                : Optional.of(
                        "the certificate is valid from " + served.getNotBefore().toInstant() + " to "
                                + served.getNotAfter().toInstant() + " only");
    }

    private static TrustManager[] trust(Optional<byte[]> authority) throws IOException, GeneralSecurityException {
        if (authority.isEmpty()) {
            return new TrustManager[] {new AnyCertificate()};
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        List<Certificate> certificates;
        try (InputStream pem = new ByteArrayInputStream(authority.get())) {
            certificates =
                    new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(pem));
        }
        for (int i = 0; i < certificates.size(); i++) {
            trusted.setCertificateEntry("ca" + i, certificates.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    /** Accepts what is served: this process asks itself, and no secret is sent. */
    private static final class AnyCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

package dev.muster.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A TLS handshake with a port of this machine, to see what it serves. Whether that is good is for others to judge. */
final class TlsProbe {
    private final Duration patience;

    /** {@code patience} bounds the connection and each answer. */
    TlsProbe(Duration patience) {
        this.patience = patience;
    }

    /**
     * Shakes hands; gives the certificates that were served, leaf first, at least one.
     *
     * @param name the DNS name to ask for; empty to ask for none
     * @throws IOException if the port does not answer over TLS in time
     */
    List<X509Certificate> served(int port, String name) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            int millis = Math.toIntExact(patience.toMillis());
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                if (!name.isEmpty()) {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setServerNames(List.of(new SNIHostName(name)));
                    socket.setSSLParameters(parameters);
                }
                socket.connect(new InetSocketAddress("127.0.0.1", port), millis);
                socket.setSoTimeout(millis);
                socket.startHandshake();
                return Stream.of(socket.getSession().getPeerCertificates())
                        .map(X509Certificate.class::cast)
                        .toList();
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Accepts what is served: this process asks itself, sends no secret, and judges the certificate afterwards. */
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

package dev.muster.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The API server as one webhook configuration makes it call: by which name, and trusting whom.
 *
 * @param configuration kind and name, for people
 * @param host DNS name or address that the certificate must be valid for
 * @param authorities PEM text of what may have signed the certificate; empty when the configuration names nobody
 */
record WebhookCaller(String configuration, String host, String authorities) {
    private static final String RENEW = ". Maybe run webhook/make-certs DIR --apply";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    /** Whether it names an authority at all. */
    boolean trustsSomebody() {
        return !authorities.isBlank();
    }

    /** Whether the host is an address and no DNS name. */
    boolean callsAnAddress() {
        return host.contains(":") || host.matches("[0-9.]+");
    }

    /** What this caller would object to in the certificates that were served, leaf first; nothing when it would go on. */
    Optional<String> objection(List<X509Certificate> chain, Instant now) {
        X509Certificate leaf = chain.get(0);
        return outOfTime(leaf, now).or(() -> wrongName(leaf)).or(() -> untrusted(chain));
    }

    /** What is wrong with the time in which a certificate is valid. */
    static Optional<String> outOfTime(X509Certificate served, Instant now) {
        Instant from = served.getNotBefore().toInstant();
        Instant to = served.getNotAfter().toInstant();
        return now.isBefore(from) || now.isAfter(to)
                ? Optional.of("the certificate is valid from " + from + " to " + to + " only" + RENEW
                        + ", which renews it; or the clock is wrong")
                : Optional.empty();
    }

    private Optional<String> wrongName(X509Certificate leaf) {
        List<String> names = names(leaf, callsAnAddress() ? IP_ADDRESS : DNS_NAME);
        return names.stream().anyMatch(this::isCovered)
                ? Optional.empty()
                : Optional.of(configuration + " calls " + host + ", and the certificate is valid for " + names + " only"
                        + RENEW + ", or add the name to the certificate");
    }

    /** As the API server compares: a star stands for exactly the first label. */
    private boolean isCovered(String name) {
        String wanted = normal(host);
        String given = normal(name);
        int dot = wanted.indexOf('.');
        return given.equals(wanted)
                || given.startsWith("*.") && dot > 0 && given.substring(1).equals(wanted.substring(dot));
    }

    private String normal(String name) {
        try {
            return callsAnAddress() ? InetAddress.getByName(name).getHostAddress() : name.toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            return name; // no address after all: it equals nothing but itself
        }
    }

    private static List<String> names(X509Certificate leaf, int kind) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = leaf.getSubjectAlternativeNames();
            for (List<?> name : all == null ? List.<List<?>>of() : all) {
                if (name.get(0).equals(kind)) {
                    names.add(String.valueOf(name.get(1)));
                }
            }
        } catch (CertificateParsingException e) {
            names.add("(unreadable: " + e.getMessage() + ")");
        }
        return names;
    }

    private Optional<String> untrusted(List<X509Certificate> chain) {
        if (!trustsSomebody()) {
            return Optional.of(configuration + " names no caBundle for " + host + RENEW
                    + ", or name the API server's own authorities in muster.cluster.webhook-ca");
        }
        try {
            for (TrustManager manager : trust().getTrustManagers()) {
                if (manager instanceof X509TrustManager x509) {
                    x509.checkServerTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN"); // as TLS 1.3 calls it
                }
            }
            return Optional.empty();
        } catch (CertificateException e) {
            return Optional.of(configuration + " does not trust the certificate, which "
                    + chain.get(0).getIssuerX500Principal() + " signed: " + e.getMessage() + RENEW
                    + ", which gives every configuration the authority that signs");
        } catch (GeneralSecurityException | IOException e) {
            return Optional.of(configuration + " has a caBundle that cannot be read: " + e.getMessage() + RENEW);
        }
    }

    private TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        int number = 0;
        for (Certificate one : certificates()) {
            trusted.setCertificateEntry("ca" + number++, one);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }

    private Collection<? extends Certificate> certificates() throws IOException {
        try {
            Collection<? extends Certificate> read = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(authorities.getBytes(StandardCharsets.ISO_8859_1)));
            if (read.isEmpty()) {
                throw new IOException("it holds no certificate");
            }
            return read;
        } catch (CertificateException e) { // else it would be taken for a verdict on what was served
            throw new IOException(e.getMessage(), e);
        }
    }
}

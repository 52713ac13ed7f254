package dev.muster.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that signs itself, made by the JDK's keytool.
 *
 * @param cert PEM file of the certificate
 * @param key PEM file of its key (PKCS#8)
 * @param caBundle what a webhook configuration must trust: the PEM text in base64
 */
public record WebhookCertificate(Path cert, Path key, String caBundle) {
    private static final char[] PASSWORD = "test-only".toCharArray();
    private static final String ALIAS = "webhook";

    /** Makes a new one for 127.0.0.1 in a folder; the files are {@code tls.crt} and {@code tls.key}, replaced if they exist. */
    public static WebhookCertificate in(Path folder) {
        return in(folder, "ip:127.0.0.1,dns:localhost");
    }

    /** As {@link #in(Path)}, for these names as keytool writes them: {@code ip:127.0.0.1,dns:localhost}. */
    public static WebhookCertificate in(Path folder, String names) {
        try {
            Files.createDirectories(folder);
            Path store = folder.resolve("tls.p12");
            Files.deleteIfExists(store);
            runKeytool(store, names);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD);
            }
            Certificate certificate = keys.getCertificate(ALIAS);
            Key key = keys.getKey(ALIAS, PASSWORD);
            String pem = pem("CERTIFICATE", certificate.getEncoded());
            Path cert = Files.writeString(folder.resolve("tls.crt"), pem);
            Path keyFile = Files.writeString(folder.resolve("tls.key"), pem("PRIVATE KEY", key.getEncoded()));
            String bundle = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
            return new WebhookCertificate(cert, keyFile, bundle);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate could be made in " + folder, e);
        }
    }

    /** What a client needs to trust it, and nothing else. */
    public SSLContext trust() {
        try (InputStream pem = Files.newInputStream(cert)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    ALIAS, CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(cert + " cannot be trusted", e);
        }
    }

    private static void runKeytool(Path store, String names) throws IOException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=muster-webhook",
                        "-validity",
                        "30",
                        "-ext",
                        "san=" + names,
                        "-ext",
                        "bc:critical=ca:true",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("keytool was interrupted", e);
        }
    }

    private static String pem(String what, byte[] der) {
        String body =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8)).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }
}

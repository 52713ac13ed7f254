package dev.muster.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The network between one process and the API server, with faults on demand: plain HTTP/1.1 comes in and goes on over TLS,
 * byte by byte. Connections can be cut or can hang, and a single request can be held, or lose its answer.
 */
public final class ApiProxy implements AutoCloseable {
    private static final int LARGEST_REQUEST = 1 << 16;
    private static final long ANSWER_SECONDS = 30;

    private final URI server;
    private final SSLContext tls;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Caught> armed = new AtomicReference<>();
    private Mode mode = Mode.PASS;

    /** What happens to connections. */
    public enum Mode {
        /** Bytes pass. */
        PASS,
        /** Connections stay, and no byte passes; what was sent meanwhile passes later, as with a frozen API server. */
        HANG,
        /** Connections break, and new ones are closed at once. */
        CUT
    }

    /** What happens to a caught request. */
    public enum Fate {
        /** It is carried out; the answer is dropped and the connection broken. */
        LOSES_ITS_ANSWER,
        /** It waits for {@link Caught#release}. */
        HELD
    }

    /** One request that was asked for by {@link #catchNext}. */
    public static final class Caught {
        private final Predicate<String> wanted;
        private final Fate fate;
        private final CountDownLatch sent = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile String answer = "";

        private Caught(Predicate<String> wanted, Fate fate) {
            this.wanted = wanted;
            this.fate = fate;
        }

        /** Whether the request has come. */
        public boolean isSent() {
            return sent.getCount() == 0;
        }

        /** The first line of the API server's answer, such as {@code HTTP/1.1 200 OK}; empty before it has come. */
        public String answer() {
            return answer;
        }

        /** Lets a held request go on to the API server. */
        public void release() {
            released.countDown();
        }
    }

    private ApiProxy(URI server, SSLContext tls, ServerSocket listening) {
        this.server = server;
        this.tls = tls;
        this.listening = listening;
    }

    /** One in front of a control plane's API server; all passes at first. */
    public static ApiProxy before(ControlPlane plane) {
        try {
            byte[] ca =
                    Base64.getDecoder().decode(plane.admin().getConfiguration().getCaCertData());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(ca)));
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, factory.getTrustManagers(), null);
            ApiProxy proxy = new ApiProxy(
                    URI.create(plane.admin().getConfiguration().getMasterUrl()),
                    tls,
                    new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            thread(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("no proxy could be opened", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the control plane's certificate cannot be read", e);
        }
    }

    /** Where it listens: what a kubeconfig names as server. */
    public String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Changes what happens to connections from now on. */
    public synchronized void set(Mode changed) {
        mode = changed;
        if (changed == Mode.CUT) {
            open.forEach(ApiProxy::shut);
        }
        notifyAll();
    }

    /** Catches the next request whose text (method, path, headers, body) is wanted; one at a time. */
    public Caught catchNext(Fate fate, Predicate<String> wanted) {
        Caught caught = new Caught(wanted, fate);
        armed.set(caught);
        return caught;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                if (isCut()) {
                    shut(near);
                } else {
                    connect(near);
                }
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException("the proxy cannot accept", e);
                }
            }
        }
    }

    private void connect(Socket near) throws IOException {
        open.add(near);
        Socket far = tls.getSocketFactory().createSocket(server.getHost(), server.getPort());
        open.add(far);
        AtomicReference<Caught> caught = new AtomicReference<>();
        thread(() -> pump(near, far, out -> requests(near.getInputStream(), out, caught)));
        thread(() -> pump(far, near, out -> answers(far.getInputStream(), out, caught)));
    }

    /** Passes bytes in one direction until one side ends. */
    private interface Pump {
        void run(OutputStream out) throws IOException, InterruptedException;
    }

    private void pump(Socket from, Socket to, Pump pump) {
        try (from;
                to) {
            pump.run(to.getOutputStream());
        } catch (IOException broken) {
            // a side has ended or was cut: try-with-resources ends the other one too, which is all that a network does
            shut(from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private void requests(InputStream in, OutputStream out, AtomicReference<Caught> caught)
            throws IOException, InterruptedException {
        StringBuilder request = new StringBuilder();
        byte[] bytes = new byte[LARGEST_REQUEST];
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
            String text = new String(bytes, 0, count, StandardCharsets.UTF_8);
            if (text.matches("(?s)(GET|POST|PUT|PATCH|DELETE) /.*")) {
                request.setLength(0);
            }
            if (request.length() < LARGEST_REQUEST) {
                request.append(text);
            }
            Caught hit = caught(request.toString());
            caught.compareAndSet(null, hit);
            if (hit != null && hit.fate == Fate.HELD) {
                hit.released.await();
            }
            awaitPassing();
            out.write(bytes, 0, count);
            out.flush();
            if (hit != null && !hit.answered.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the caught request got no answer");
            }
        }
    }

    private Caught caught(String request) {
        Caught wanted = armed.get();
        if (wanted != null && wanted.wanted.test(request) && armed.compareAndSet(wanted, null)) {
            wanted.sent.countDown();
            return wanted;
        }
        return null;
    }

    private void answers(InputStream in, OutputStream out, AtomicReference<Caught> caught)
            throws IOException, InterruptedException {
        byte[] bytes = new byte[LARGEST_REQUEST];
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
            Caught hit = caught.getAndSet(null);
            if (hit != null) {
                hit.answer = new String(bytes, 0, count, StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElse("");
                hit.answered.countDown();
                if (hit.fate == Fate.LOSES_ITS_ANSWER) {
                    return;
                }
            }
            awaitPassing();
            out.write(bytes, 0, count);
            out.flush();
        }
    }

    private synchronized boolean isCut() {
        return mode == Mode.CUT;
    }

    private synchronized void awaitPassing() throws InterruptedException {
        while (mode == Mode.HANG) {
            wait();
        }
    }

    private static void shut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a connection cannot be closed", e);
        }
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "api-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy cannot be closed", e);
        }
        set(Mode.CUT);
    }
}

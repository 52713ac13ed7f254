package dev.muster.web.access;

import dev.muster.web.access.Denial.Kind;
import dev.muster.web.access.Reviews.Unanswered;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * REST for accounts of the cluster: the API server says whose a bearer token is, and whether its owner may get jobs in a
 * namespace. Its answers are kept for {@link #GOOD_FOR} by the hash of the token; the token itself is neither kept nor
 * logged. Few questions are put at the same time, so that a flood of made-up tokens does not reach the API server.
 */
public final class TokenAccess implements Access {
    /** How long an answer is used again: a right that is taken away is gone after that time. */
    public static final Duration GOOD_FOR = Duration.ofSeconds(30);

    /** How long a token is remembered as nobody's; short, for the API server may not have heard of a new account yet. */
    static final Duration BAD_FOR = Duration.ofSeconds(5);

    static final int MOST_TOKENS = 1_000;
    static final int MOST_RIGHTS = 20_000;
    /** Namespaces that are asked about for one request. */
    static final int MOST_ASKED = 200;

    private static final int LONGEST_TOKEN = 16_384;
    private static final int AT_ONCE = 8;
    private static final String EVERYWHERE = "";
    private static final String SCHEME = "bearer ";

    private final Reviews reviews;
    private final Duration patience;
    private final Semaphore permits = new Semaphore(AT_ONCE);
    private final Remembered<String, Optional<Caller>> callers;
    private final Remembered<Right, Boolean> rights;

    private record Right(String tokenHash, String namespace) {}

    /**
     * Knows nobody yet.
     *
     * @param patience how long a request waits at most for its turn to ask
     * @param nanos a clock that never turns back, in nanoseconds
     */
    public TokenAccess(Reviews reviews, Duration patience, LongSupplier nanos) {
        this.reviews = reviews;
        this.patience = patience;
        this.callers = new Remembered<>(MOST_TOKENS, nanos);
        this.rights = new Remembered<>(MOST_RIGHTS, nanos);
    }

    @Override
    public Visitor visitor(@Nullable String authorization) {
        if (authorization == null || authorization.isBlank()) {
            throw new Denial(
                    Kind.UNKNOWN_CALLER,
                    "This cluster's Muster answers to accounts of the cluster only. Maybe send"
                            + " the header Authorization: Bearer TOKEN, with the token that kubectl create token prints.");
        }
        String token = authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? authorization.substring(SCHEME.length()).strip()
                : "";
        if (token.isEmpty() || token.length() > LONGEST_TOKEN) {
            throw new Denial(
                    Kind.UNKNOWN_CALLER,
                    "The header Authorization holds no bearer token of at most " + LONGEST_TOKEN
                            + " characters. Maybe write it as Bearer TOKEN.");
        }
        String hash = sha256(token);
        Optional<Caller> caller = callers.get(hash).orElseGet(() -> whose(token, hash));
        return new Known(
                hash,
                caller.orElseThrow(() -> new Denial(
                        Kind.UNKNOWN_CALLER,
                        "The token is not one that the API server accepts. Maybe it has"
                                + " expired: kubectl create token makes a new one.")));
    }

    private Optional<Caller> whose(String token, String hash) {
        Optional<Caller> caller = ask(() -> reviews.whose(token));
        callers.put(hash, caller, (caller.isPresent() ? GOOD_FOR : BAD_FOR).toNanos());
        return caller;
    }

    private boolean mayGetJobs(Caller caller, Right right) {
        boolean may = ask(() -> reviews.mayGetJobs(caller, right.namespace()));
        rights.put(right, may, GOOD_FOR.toNanos());
        return may;
    }

    private <T> T ask(Supplier<T> question) {
        try {
            if (!permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Denial(
                        Kind.NO_ANSWER, "Too many accounts are being looked up just now. Maybe try again shortly.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Denial(Kind.NO_ANSWER, "Muster is being stopped. Maybe try again shortly.");
        }
        try {
            return question.get();
        } catch (Unanswered e) {
            throw new Denial(
                    Kind.NO_ANSWER,
                    "The API server does not say what you may see: " + e.getMessage() + ". Maybe try again shortly.");
        } finally {
            permits.release();
        }
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** An account of the cluster. */
    private final class Known implements Visitor {
        private final String hash;
        private final Caller caller;

        Known(String hash, Caller caller) {
            this.hash = hash;
            this.caller = caller;
        }

        @Override
        public String getName() {
            return caller.user();
        }

        @Override
        public boolean isKnown() {
            return true;
        }

        @Override
        public boolean sees(String namespace) {
            return !namespace.isEmpty() && (may(EVERYWHERE) || may(namespace));
        }

        @Override
        public Reach reach(Supplier<List<String>> namespaces) {
            if (may(EVERYWHERE)) {
                return Reach.ALL;
            }
            List<String> all = namespaces.get();
            List<String> unknown = new ArrayList<>(all);
            unknown.removeIf(namespace -> rights.get(new Right(hash, namespace)).isPresent());
            if (unknown.size() > MOST_ASKED) {
                throw new Denial(
                        Kind.NOT_ALLOWED,
                        "You (" + caller.user() + ") may not get jobs in all namespaces, and with "
                                + unknown.size() + " of them it would take too long to ask about each. Maybe name one:"
                                + " ?namespace=NAME.");
            }
            Set<String> seen = all.stream().filter(this::may).collect(Collectors.toUnmodifiableSet());
            return new Reach(seen);
        }

        private boolean may(String namespace) {
            Right right = new Right(hash, namespace);
            return rights.get(right).orElseGet(() -> mayGetJobs(caller, right));
        }
    }
}

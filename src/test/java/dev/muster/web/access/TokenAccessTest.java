package dev.muster.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.web.access.Denial.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenAccessTest {
    private static final Caller ALICE = new Caller("alice", "u-1", List.of("team-vision"), Map.of());

    private final Given reviews = new Given();
    private final AtomicLong now = new AtomicLong();
    private final TokenAccess access = new TokenAccess(reviews, Duration.ofMillis(50), now::get);

    /** An API server that knows one token, and notes what it was asked. */
    private static final class Given implements Reviews {
        final List<String> asked = new ArrayList<>();
        Set<String> allowed = Set.of("a");
        boolean answers = true;

        @Override
        public Optional<Caller> whose(String token) {
            note("whose");
            return token.equals("good") ? Optional.of(ALICE) : Optional.empty();
        }

        @Override
        public boolean mayGetJobs(Caller caller, String namespace) {
            note(caller.user() + "@" + namespace);
            return allowed.contains(namespace);
        }

        private void note(String question) {
            if (!answers) {
                throw new Unanswered("it does not answer");
            }
            asked.add(question);
        }
    }

    private static void denied(Kind kind, String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Denial.class, denial -> {
            assertThat(denial.kind()).isEqualTo(kind);
            assertThat(denial).hasMessageContaining(message);
            assertThat(denial.getMessage()).doesNotContain("good").doesNotContain("secret");
        });
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"", "  ", "secret", "Basic secret", "Bearer", "Bearer   "})
    void withoutABearerToken_NobodyIsAsked(String header) {
        denied(Kind.UNKNOWN_CALLER, "Maybe", () -> access.visitor(header));
        denied(Kind.UNKNOWN_CALLER, "kubectl create token", () -> access.visitor(null));
        denied(Kind.UNKNOWN_CALLER, "at most 16384", () -> access.visitor("Bearer " + "s".repeat(20_000)));
        assertThat(reviews.asked).isEmpty();
    }

    @Test
    void aTokenOfNobodyIsRefused_AndRememberedForAMoment() {
        denied(Kind.UNKNOWN_CALLER, "Maybe it has expired", () -> access.visitor("Bearer secret"));
        denied(Kind.UNKNOWN_CALLER, "Maybe it has expired", () -> access.visitor("bearer secret"));
        assertThat(reviews.asked).containsExactly("whose");

        now.addAndGet(TokenAccess.BAD_FOR.toNanos());
        denied(Kind.UNKNOWN_CALLER, "Maybe it has expired", () -> access.visitor("Bearer secret"));
        assertThat(reviews.asked).containsExactly("whose", "whose");
    }

    @Test
    void aTenantSeesTheNamespacesWhereItMayGetJobs_AndIsAskedAboutOnceInAWhile() {
        Visitor alice = access.visitor("Bearer good");

        assertThat(alice.getName()).isEqualTo("alice");
        assertThat(alice.sees("a")).isTrue();
        assertThat(alice.sees("b")).isFalse();
        assertThat(alice.sees("")).isFalse();
        assertThat(alice.reach(() -> List.of("a", "b", "c"))).isEqualTo(new Reach(Set.of("a")));
        assertThat(access.visitor("Bearer good").sees("a")).isTrue();
        assertThat(reviews.asked).containsExactly("whose", "alice@", "alice@a", "alice@b", "alice@c");
    }

    @Test
    void whoMayGetJobsEverywhere_IsAskedAboutOnce() {
        reviews.allowed = Set.of("");
        Visitor admin = access.visitor("Bearer good");

        assertThat(admin.sees("anything")).isTrue();
        assertThat(admin.reach(() -> {
                    throw new AssertionError("nobody needs the list");
                }))
                .isEqualTo(Reach.ALL);
        assertThat(reviews.asked).containsExactly("whose", "alice@");
    }

    @Test
    void aRightThatIsTakenAwayIsGoneAfterHalfAMinute() {
        assertThat(access.visitor("Bearer good").sees("a")).isTrue();
        reviews.allowed = Set.of();
        assertThat(access.visitor("Bearer good").sees("a")).isTrue();

        now.addAndGet(TokenAccess.GOOD_FOR.toNanos());

        assertThat(access.visitor("Bearer good").sees("a")).isFalse();
    }

    @Test
    void moreNamespacesThanCanBeAskedAboutAtOnce_HaveToBeNamed() {
        List<String> many = IntStream.range(0, 201).mapToObj(i -> "n" + i).toList();

        denied(
                Kind.NOT_ALLOWED,
                "Maybe name one: ?namespace=NAME.",
                () -> access.visitor("Bearer good").reach(() -> many));
        assertThat(reviews.asked).containsExactly("whose", "alice@");
        assertThat(access.visitor("Bearer good").reach(() -> many.subList(0, 200)))
                .isEqualTo(new Reach(Set.of()));
        assertThat(access.visitor("Bearer good").reach(() -> many))
                .as("most are known by now")
                .isEqualTo(new Reach(Set.of()));
    }

    @Test
    void whenTheApiServerDoesNotSay_NothingIsShown_AndNothingIsRemembered() {
        reviews.answers = false;
        denied(Kind.NO_ANSWER, "it does not answer. Maybe try again shortly.", () -> access.visitor("Bearer good"));
        reviews.answers = true;
        Visitor alice = access.visitor("Bearer good");
        reviews.answers = false;
        denied(Kind.NO_ANSWER, "it does not answer", () -> alice.sees("a"));
        reviews.answers = true;
        assertThat(alice.sees("a")).isTrue();
    }

    @Test
    void aFloodOfTokensIsBounded_InMemoryAndAtTheApiServer() throws InterruptedException {
        Remembered<Integer, Boolean> few = new Remembered<>(10, now::get);
        IntStream.range(0, 1_000).forEach(i -> few.put(i, true, 1));
        assertThat(few.size()).isEqualTo(10);
        assertThat(few.get(999)).contains(true);
        assertThat(few.get(0)).isEmpty();

        // given eight that hang in a question
        CountDownLatch hanging = new CountDownLatch(8);
        CountDownLatch end = new CountDownLatch(1);
        TokenAccess slow = new TokenAccess(
                new Reviews() {
                    @Override
                    public Optional<Caller> whose(String token) {
                        hanging.countDown();
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return Optional.empty();
                    }

                    @Override
                    public boolean mayGetJobs(Caller caller, String namespace) {
                        return false;
                    }
                },
                Duration.ofMillis(50),
                now::get);
        var threads = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 8; i++) {
                String token = "t" + i;
                threads.submit(() -> slow.visitor("Bearer " + token));
            }
            hanging.await();

            denied(Kind.NO_ANSWER, "Too many accounts are being looked up", () -> slow.visitor("Bearer t9"));
        } finally {
            end.countDown();
            threads.shutdown();
        }
    }
}

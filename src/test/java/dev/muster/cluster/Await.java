package dev.muster.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a condition in the outside world: looks every 50 ms, and fails with what was wanted and what was seen last. */
public final class Await {
    private static final Duration DEFAULT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    /**
     * Waits up to 30 s until the condition holds.
     *
     * @param what the end of the sentence "within 30 s was expected: ..."
     * @throws AssertionError if it does not come to hold
     */
    public static void until(String what, BooleanSupplier condition) {
        until(what, DEFAULT, condition::getAsBoolean, held -> held);
    }

    /** As {@link #until(String, Duration, Supplier, Predicate)}, up to 30 s. */
    public static <T extends @Nullable Object> T until(String what, Supplier<T> look, Predicate<T> condition) {
        return until(what, DEFAULT, look, condition);
    }

    /**
     * Waits until what is seen satisfies the condition.
     *
     * @param look is called again and again; what it throws counts as "not yet" and is the cause of a failure
     * @return what was seen
     * @throws AssertionError if time runs out; the message has what was seen last
     */
    public static <T extends @Nullable Object> T until(
            String what, Duration within, Supplier<T> look, Predicate<T> condition) {
        long deadline = System.nanoTime() + within.toNanos();
        while (true) {
            T seen = null;
            RuntimeException thrown = null;
            try {
                seen = look.get();
                if (condition.test(seen)) {
                    return seen;
                }
            } catch (RuntimeException e) {
                thrown = e;
            }
            if (System.nanoTime() >= deadline) {
                throw new AssertionError(
                        "within " + within.toSeconds() + " s was expected: " + what + "; seen last: " + seen, thrown);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /**
     * Watches that a condition goes on to hold; for what must not happen.
     *
     * @throws AssertionError as soon as it does not hold
     */
    public static void always(String what, Duration during, BooleanSupplier condition) {
        long end = System.nanoTime() + during.toNanos();
        do {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("during " + during.toMillis() + " ms this did not hold: " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        } while (System.nanoTime() < end);
    }
}

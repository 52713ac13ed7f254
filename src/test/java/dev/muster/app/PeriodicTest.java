package dev.muster.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeriodicTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
    private final List<String> told = new ArrayList<>();
    private final Periodic periodic = new Periodic(
            "the refresh",
            this::task,
            nanos::get,
            (message, cause) -> told.add(message + (cause == null ? "" : " with " + cause)));

    @Test
    void aFailureIsToldWhole_AndDoesNotEndTheSeries() {
        problem.set(new IllegalStateException("no answer"));

        periodic.run();

        assertThat(told)
                .containsExactly(
                        "the refresh failed; it is tried again with java.lang.IllegalStateException: no answer");
    }

    @Test
    void theSameFailureTwentyTimesASecond_IsToldOnceAMinute() {
        problem.set(new IllegalStateException("no answer"));

        for (int run = 0; run < 20 * 121; run++) {
            nanos.set(TimeUnit.MILLISECONDS.toNanos(run * 50L));
            periodic.run();
        }

        assertThat(told)
                .containsExactly(
                        "the refresh failed; it is tried again with java.lang.IllegalStateException: no answer",
                        "the refresh still fails, 1200 times since it was last said: java.lang.IllegalStateException: no answer",
                        "the refresh still fails, 1200 times since it was last said: java.lang.IllegalStateException: no answer");
    }

    @Test
    void anotherFailure_AndOneAfterASuccess_AreToldWhole() {
        problem.set(new IllegalStateException("no answer"));
        periodic.run();
        problem.set(new IllegalArgumentException("odd"));
        periodic.run();
        problem.set(null);
        periodic.run();
        problem.set(new IllegalArgumentException("odd"));
        periodic.run();

        assertThat(told)
                .containsExactly(
                        "the refresh failed; it is tried again with java.lang.IllegalStateException: no answer",
                        "the refresh failed; it is tried again with java.lang.IllegalArgumentException: odd",
                        "the refresh failed; it is tried again with java.lang.IllegalArgumentException: odd");
    }

    @Test
    void anErrorEndsTheSeries_AndThatIsSaid() {
        problem.set(new OutOfMemoryError("heap"));

        assertThatThrownBy(periodic::run).isInstanceOf(OutOfMemoryError.class);
        assertThat(told).containsExactly("the refresh ended with java.lang.OutOfMemoryError: heap");
    }

    private void task() {
        Throwable thrown = problem.get();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }
}

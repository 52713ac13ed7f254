package dev.muster.kube;

import dev.muster.kube.Calls.Note;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Kubernetes Events about jobs, stored behind the back of the writes they tell of. They are for people: when more than a
 * bounded number wait, or one fails, it is counted and dropped, and nothing else suffers.
 */
final class Notes implements AutoCloseable {
    private static final int MOST_WAITING = 10_000;

    private final Calls calls;
    private final Meter meter;
    private final LongSupplier nanos;
    private final ThreadPoolExecutor thread;

    Notes(Calls calls, Meter meter, LongSupplier nanos) {
        this.calls = calls;
        this.meter = meter;
        this.nanos = nanos;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> new Thread(task, "muster-events"),
                (task, full) -> meter.wrote("event", "dropped", 0));
    }

    /** Will be stored soon, or counted as dropped. */
    void tell(HasMetadata job, Note note) {
        thread.execute(() -> store(job, note));
    }

    private void store(HasMetadata job, Note note) {
        long began = nanos.getAsLong();
        String outcome = "done";
        try {
            calls.event(job, note);
        } catch (WriteFailed e) {
            outcome = e.refusal().name().toLowerCase(Locale.ROOT);
        }
        meter.wrote("event", outcome, nanos.getAsLong() - began);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

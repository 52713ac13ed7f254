package dev.muster.app;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A task that is run again and again. What it throws is logged with what failed, and never ends the series: whole when
 * it is another failure than before, in one line a minute with the number of failures while it stays the same.
 */
final class Periodic implements Runnable {
    private static final Logger LOG = Logger.getLogger(Periodic.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    /** Where failures are told. */
    interface Report {
        /** {@code cause} is null when it was told before. */
        void failed(String message, @Nullable Throwable cause);
    }

    private final String what;
    private final Runnable task;
    private final LongSupplier nanos;
    private final Report report;
    private @Nullable String lastFailure;
    private long toldAt;
    private long untold;

    /**
     * The task as a series of its own.
     *
     * @param what the subject of the sentence "... failed", such as {@code the refresh of the page}
     * @param nanos a monotonic clock
     */
    Periodic(String what, Runnable task, LongSupplier nanos, Report report) {
        this.what = what;
        this.task = task;
        this.nanos = nanos;
        this.report = report;
    }

    /** As above, told to the log. */
    static Periodic logged(String what, Runnable task) {
        return new Periodic(what, task, System::nanoTime, (message, cause) -> LOG.error(message, cause));
    }

    @Override
    public synchronized void run() {
        try {
            task.run();
            if (lastFailure != null) {
                lastFailure = null;
                untold = 0;
            }
        } catch (RuntimeException e) { // the next run may do better, and is not kept from it
            failed(e);
        } catch (Error e) { // an executor would end the series without a word
            report.failed(what + " ended", e);
            throw e;
        }
    }

    private void failed(RuntimeException e) {
        long now = nanos.getAsLong();
        untold++;
        if (!Objects.equals(e.toString(), lastFailure)) {
            report.failed(what + " failed; it is tried again", e);
        } else if (now - toldAt >= QUIET_NANOS) {
            report.failed(what + " still fails, " + untold + " times since it was last said: " + e, null);
        } else {
            return;
        }
        lastFailure = e.toString();
        toldAt = now;
        untold = 0;
    }
}

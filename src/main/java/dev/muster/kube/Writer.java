package dev.muster.kube;

import dev.muster.engine.Action;
import dev.muster.engine.Event;
import dev.muster.engine.Event.Refusal;
import dev.muster.engine.Plan;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries plans out: one request an action, those of one object in order, those of different objects in parallel up to a
 * bound. Each answer goes out as one event. When nobody knows whether a write happened, the object is read anew, as often
 * as that takes, and what it is now goes out before the refusal does.
 */
final class Writer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final long LOOK_AGAIN_MILLIS = 500;
    private static final long LONGEST_WAIT_MILLIS = 5_000;

    private final Request requests;
    private final Supplier<Optional<String>> fence;
    private final Runnable replaced;
    private final Consumer<Event> events;
    private final Meter meter;
    private final Clock clock;
    private final LongSupplier nanos;
    private final ExecutorService threads;
    private final InOrder inOrder;
    private final Parking parking;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Sends one action, and looks when nobody knows what became of it. */
    interface Request {
        /** Whether to send it now, going by what was seen last. */
        Moment moment(Action action);

        /** Carries the action out under this fence; gives the object's new resourceVersion. */
        String send(Action action, String fence) throws WriteFailed;

        /** Reads the action's object anew and passes it on; whether it is still there. */
        boolean look(Action action) throws WriteFailed;
    }

    /** When an action is best sent. */
    enum Moment {
        /** Now. */
        NOW,
        /** Soon: another write on the object is expected, with which this one would collide. */
        SOON,
        /** Never: the object has changed since, so it would be refused. */
        NEVER
    }

    /**
     * A writer.
     *
     * @param fence under which this process may write now; empty when it may not
     * @param replaced told when the API server says that this process has been replaced
     * @param parking is told when news of an object has come
     * @param inFlight most requests at the same time
     */
    Writer(
            Request requests,
            Supplier<Optional<String>> fence,
            Runnable replaced,
            Consumer<Event> events,
            Meter meter,
            Clock clock,
            LongSupplier nanos,
            Parking parking,
            int inFlight) {
        this.requests = requests;
        this.fence = fence;
        this.replaced = replaced;
        this.events = events;
        this.meter = meter;
        this.clock = clock;
        this.nanos = nanos;
        this.parking = parking;
        AtomicInteger made = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(inFlight, task -> {
            Thread thread = new Thread(task, "muster-writer-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.inOrder = new InOrder(threads);
    }

    /** Begins to carry the plan out under the present fence and returns at once. */
    void carryOut(Plan plan) {
        String held = fence.get().orElse("");
        for (Action action : plan.actions()) {
            inOrder.run(action.target().uid(), () -> begin(action, held));
        }
    }

    /** A write that would collide is held back for a while: one request then instead of two. */
    private void begin(Action action, String held) {
        if (requests.moment(action) != Moment.SOON) {
            write(action, held);
            return;
        }
        String uid = action.target().uid();
        parking.park(uid, LONGEST_WAIT_MILLIS, () -> inOrder.run(uid, () -> write(action, held)));
        if (requests.moment(action) != Moment.SOON) { // the news may have come in between
            parking.news(uid);
        }
    }

    /** Objects with a write that has not been answered yet. */
    int busy() {
        return inOrder.busy();
    }

    private void write(Action action, String held) {
        long began = nanos.getAsLong();
        WriteFailed failed = inVain(action, held);
        String resourceVersion = "";
        boolean sent = failed == null;
        if (failed == null) {
            try {
                resourceVersion = requests.send(action, held);
            } catch (WriteFailed e) {
                failed = e;
            } catch (RuntimeException e) { // a fault of ours must not leave the engine waiting for an answer
                LOG.error("the write {} of {} failed", kind(action), target(action), e);
                failed = new WriteFailed(Refusal.REFUSED, String.valueOf(e.getMessage()), e);
            }
        }
        String outcome = !sent
                ? "unsent"
                : failed == null ? "done" : failed.refusal().name().toLowerCase(Locale.ROOT);
        meter.wrote(kind(action), outcome, nanos.getAsLong() - began);
        if (failed == null) {
            events.accept(new Event.WriteDone(action.target().uid(), resourceVersion));
        } else {
            refused(action, failed, sent);
        }
    }

    /** Why it is no use to send the write; null when it may well be done. */
    private @Nullable WriteFailed inVain(Action action, String held) {
        if (held.isEmpty() || !held.equals(fence.get().orElse(""))) {
            // not REPLACED: the lead may be back under a new fence by now, and the write due again
            return new WriteFailed(Refusal.UNKNOWN, "the lead changed before the write was sent", null);
        }
        return requests.moment(action) == Moment.NEVER
                ? new WriteFailed(Refusal.STALE, "the object has changed since the decision", null)
                : null;
    }

    private void refused(Action action, WriteFailed failed, boolean sent) {
        Refusal refusal = failed.refusal();
        if (refusal != Refusal.STALE) { // a stale one is everyday
            LOG.info("write {} of {} {}: {}", kind(action), target(action), refusal, failed.getMessage());
        }
        if (refusal == Refusal.UNKNOWN && sent) {
            Refusal seen = look(action);
            if (seen == null) {
                return;
            }
            refusal = seen;
        }
        events.accept(new Event.WriteRefused(action.target().uid(), refusal, failed.getMessage(), clock.millis()));
        if (refusal == Refusal.REPLACED) { // after the event: what begins anew comes later
            replaced.run();
        }
    }

    /** Looks until the API server answers; null when this process ends before. */
    private @Nullable Refusal look(Action action) {
        try {
            while (true) {
                try {
                    return requests.look(action) ? Refusal.UNKNOWN : Refusal.GONE;
                } catch (WriteFailed e) {
                    if (e.refusal() != Refusal.UNKNOWN) {
                        LOG.warn("{} cannot be read: {}", target(action), e.getMessage());
                    }
                    if (closing.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                        return null;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** The action's name in metrics. */
    static String kind(Action action) {
        if (action instanceof Action.Admit) {
            return "admit";
        }
        if (action instanceof Action.Stop) {
            return "stop";
        }
        if (action instanceof Action.Release) {
            return "release";
        }
        return action instanceof Action.Mark ? "mark" : "place";
    }

    private static String target(Action action) {
        return action.target().namespace() + "/" + action.target().name();
    }

    /** Lets requests under way end, for at most two seconds, and starts no more. */
    @Override
    public void close() {
        closing.countDown();
        parking.close();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(2, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

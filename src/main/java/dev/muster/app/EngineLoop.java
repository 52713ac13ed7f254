package dev.muster.app;

import dev.muster.engine.Cluster;
import dev.muster.engine.Engine;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import dev.muster.engine.Views;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that owns an engine: takes what happened in batches, cycles, hands plans to the cluster, and answers
 * questions between two cycles. Anything thrown while an event is applied or a plan is made ends the process, for a
 * ledger that may be wrong must not decide: it is rebuilt from the cluster at the next start.
 */
public final class EngineLoop implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(EngineLoop.class);
    private static final int BUDGET = 1_000;
    private static final int BATCH = 10_000;

    private final Engine engine;
    private final Cluster cluster;
    private final InstantSource clock;
    private final long longestWait;
    private final Runnable onFailure;
    private final LinkedBlockingQueue<Consumer<Engine>> inbox = new LinkedBlockingQueue<>();
    /** Answered between two cycles only, when all that was applied has been decided about. */
    private final ConcurrentLinkedQueue<Consumer<Engine>> questions = new ConcurrentLinkedQueue<>();

    private final Thread thread;
    private volatile boolean open = true;

    /**
     * A loop that is not started yet.
     *
     * @param longestWait after how many milliseconds at most to look at the clock again, for one that runs faster than time
     * @param onFailure called once when the loop ends because of an error
     */
    public EngineLoop(Engine engine, Cluster cluster, InstantSource clock, long longestWait, Runnable onFailure) {
        this.engine = engine;
        this.cluster = cluster;
        this.clock = clock;
        this.longestWait = longestWait;
        this.onFailure = onFailure;
        this.thread = new Thread(this::run, "muster-engine");
    }

    /** Starts the thread, then the cluster's events. */
    public void start() {
        thread.start();
        cluster.start(this::put);
    }

    /** Hands an event in; from any thread, without waiting. */
    public void put(Event event) {
        inbox.add(into -> into.apply(event));
    }

    /** Whether the thread is alive. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Asks the engine between two cycles; waits for the answer. Throws what the question throws. */
    public <T> T ask(Function<Views, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        questions.add(of -> {
            if (!open) {
                answer.completeExceptionally(new IllegalStateException("it is stopped"));
                return;
            }
            try {
                answer.complete(question.apply(of.views()));
            } catch (RuntimeException e) { // an answer to who asked, never the end of the engine
                answer.completeExceptionally(e);
            }
        });
        inbox.add(awake -> {});
        if (!open) {
            answer(); // nobody else does any more
        }
        try {
            return answer.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IllegalArgumentException bad
                    ? bad
                    : new IllegalStateException("the engine did not answer", e.getCause());
        }
    }

    /** Stops the thread and the cluster; events that were not applied are dropped, for the cluster still holds them. */
    @Override
    public void close() {
        open = false;
        thread.interrupt();
        cluster.close();
    }

    private void run() {
        long wakeAt = Long.MAX_VALUE;
        long now = 0;
        boolean more = false;
        try {
            while (open) {
                drain(more ? 0 : Math.max(0, wakeAt - clock.millis()));
                now = Math.max(now, clock.millis()); // a clock that is set back must not turn decisions back
                Plan plan = engine.cycle(now, BUDGET);
                answer();
                more = plan.more();
                wakeAt = plan.wakeAt();
                if (!plan.actions().isEmpty()) {
                    cluster.carryOut(plan);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the engine's thread was told to stop");
        } catch (RuntimeException | Error e) {
            LOG.fatal("the engine stopped on an error and will be rebuilt from the cluster at the next start", e);
            onFailure.run();
        } finally {
            open = false;
            answer();
        }
    }

    private void answer() {
        Consumer<Engine> question = questions.poll();
        while (question != null) {
            question.accept(engine);
            question = questions.poll();
        }
    }

    /** Waits for something to happen, at most so many milliseconds, and applies all that is there. */
    private void drain(long millis) throws InterruptedException {
        @Nullable Consumer<Engine> first = inbox.poll(Math.min(millis, longestWait), TimeUnit.MILLISECONDS);
        for (int taken = 0; first != null && taken < BATCH; taken++) {
            first.accept(engine);
            first = taken + 1 < BATCH ? inbox.poll() : null;
        }
    }
}

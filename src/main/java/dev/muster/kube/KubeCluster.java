package dev.muster.kube;

import dev.muster.api.Marks;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.engine.Cluster;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import dev.muster.jobs.Surroundings;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.Kinds;
import dev.muster.kube.LeaseTable.Fence;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real cluster. Watches bring events in from the start, also to a follower, so that a take-over starts warm. Leading
 * begins in three steps, in this order: the API server is seen to refuse the predecessor's fence (bounded, since no wait
 * closes that window for good), everything is listed anew, {@link Event.Synced} goes out. It ends with
 * {@link Event.Unsynced} when the Lease is lost or a watch stays down.
 */
public final class KubeCluster implements Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(KubeCluster.class);
    private static final long LOOK_MILLIS = 100;
    private static final Duration KINDS_RETRY = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final KubeSettings settings;
    private final Meter meter;
    private final Clock clock;
    private final LongSupplier nanos;
    private final Calls calls;
    private final Leadership leadership;
    private final Clearance clearance;
    private final Discovery discovery;
    private final Handover handover;
    private final ScheduledExecutorService leaseThread = thread("muster-lease");
    private final ScheduledExecutorService lookThread = thread("muster-clearance");
    private final ScheduledExecutorService kindsThread = thread("muster-kinds");
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Clearance.State state = Clearance.State.NOTHING;
    private volatile @Nullable Sight sight;
    private volatile @Nullable Writer writer;
    private volatile @Nullable Notes notes;

    /**
     * A cluster that is not watched yet.
     *
     * @param client for everything but the Lease
     * @param leaseClient for the Lease alone, so that no load delays a renewal; it must time out well within the deadline
     * @param clock for what people read
     * @param nanos a monotonic clock, in nanoseconds
     */
    public KubeCluster(
            KubernetesClient client,
            KubernetesClient leaseClient,
            KubeSettings settings,
            Meter meter,
            Clock clock,
            LongSupplier nanos) {
        this.client = client;
        this.settings = settings;
        this.meter = meter;
        this.clock = clock;
        this.nanos = nanos;
        this.calls = new ApiCalls(client, clock, settings.identity());
        LeaseTable table = new LeaseTable(
                settings.identity(),
                settings.lease().toNanos(),
                settings.renewDeadline().toNanos());
        this.leadership = new Leadership(
                LeaseStore.in(settings.namespace(), leaseClient), settings.namespace(), table, clock, nanos);
        this.clearance = new Clearance(settings.outage().toNanos());
        this.discovery = new Discovery(client, settings.kinds().gangs(), settings.namespace());
        this.handover = new Handover(calls, settings.settle(), nanos, this::pause);
    }

    @Override
    public void start(Consumer<Event> events) {
        Parking parking = new Parking();
        Sight started = new Sight(client, calls, settings.kinds().owners(), events, parking::news, clock::millis);
        Notes teller = new Notes(calls, meter, nanos);
        sight = started;
        notes = teller;
        writer = new Writer(
                new Requests(calls, started, teller, clock),
                () -> cleared().map(Fence::text),
                leadership::doubt,
                events,
                meter,
                clock,
                nanos,
                parking,
                settings.writesInFlight());
        started.start();
        every(leaseThread, settings.retry(), "look at the lease", leadership::round);
        if (!settings.kinds().gangs().isEmpty()) {
            long pause = settings.discovery().toNanos();
            every(
                    kindsThread,
                    Duration.ofNanos(Math.min(pause, KINDS_RETRY.toNanos())),
                    "look at which kinds are served",
                    () -> discovery.roundIfDue(nanos.getAsLong(), pause));
        }
        every(lookThread, Duration.ofMillis(LOOK_MILLIS), "begin to lead", () -> look(started, events));
    }

    @Override
    public void carryOut(Plan plan) {
        Writer started = writer;
        if (started != null && closing.getCount() > 0) {
            started.carryOut(plan);
        }
    }

    /** Whether every watch has its first list and is up now; so of a follower too. */
    @Override
    public boolean isSynced() {
        return down().isEmpty();
    }

    /** Names of the watches that have no first list yet, or are interrupted now. */
    public List<String> down() {
        Sight started = sight;
        if (started == null) {
            return List.of("everything");
        }
        return down(started, discovery.isComplete());
    }

    private static List<String> down(Sight seen, boolean kindsAreKnown) {
        return kindsAreKnown
                ? seen.down()
                : Stream.concat(seen.down().stream(), Stream.of("kinds")).toList();
    }

    /** How far each described kind takes part, as seen last; none before the first look. */
    public List<KindState> kindStates() {
        return discovery.states();
    }

    /** Whether this process makes decisions now. */
    public boolean isLeading() {
        return cleared().isPresent();
    }

    /** Objects with a write that has not been answered yet. */
    public int writesInFlight() {
        Writer started = writer;
        return started == null ? 0 : started.busy();
    }

    /** The managed job with this UID, of whatever kind, as seen last. */
    public Optional<SeenJob> job(String uid) {
        Sight started = sight;
        return started == null ? Optional.empty() : started.jobs().withUid(uid);
    }

    /**
     * Whether an admission counts without further question: its last writer is who leads now, as far as this process
     * knows. One of an earlier leader may count too, which only the leader can tell.
     */
    public boolean holds(HasMetadata job) {
        String fence = job.getMetadata().getAnnotations() == null
                ? null
                : job.getMetadata().getAnnotations().get(Marks.FENCE);
        return leadership
                .present()
                .map(Fence::text)
                .filter(text -> text.equals(fence))
                .isPresent();
    }

    /** Queues by name, as seen last; live, for reading only. */
    public Map<String, Queue> queues() {
        Sight started = sight;
        return started == null ? Map.of() : started.queues();
    }

    /** Node classes by name, as seen last; live, for reading only. */
    public Map<String, NodeClass> classes() {
        Sight started = sight;
        return started == null ? Map.of() : started.classes();
    }

    /** Kinds that take part beside the batch Job, where they are installed. */
    public Kinds kinds() {
        return settings.kinds();
    }

    /** What jobs are read with. */
    public Surroundings surroundings() {
        Sight started = sight;
        return started == null ? new Around() : started.surroundings();
    }

    /** Writes the status of queues and node classes through this cluster. */
    public StatusWriter status() {
        return new StatusWriter(client, () -> Optional.ofNullable(sight), this::isLeading, meter, clock, nanos);
    }

    private Optional<Fence> cleared() {
        Fence held = state.cleared();
        return leadership.fence().filter(fence -> fence.equals(held));
    }

    private void look(Sight seen, Consumer<Event> events) {
        boolean kindsAreKnown = discovery.isComplete(); // before they are asked for
        adopt(seen, events);
        Optional<Fence> fence = leadership.fence();
        Clearance.Step step = clearance.look(state, fence, down(seen, kindsAreKnown), nanos.getAsLong());
        state = step.state();
        if (step.action() == Clearance.Action.STOP) {
            LOG.warn("decisions stop: leading {}, watches down {}", fence.isPresent(), seen.down());
            events.accept(new Event.Unsynced());
        } else if (step.action() == Clearance.Action.PREPARE && fence.isPresent()) {
            awaitRefusal(seen, fence.get());
            seen.relist();
            if (leadership.fence().equals(fence) && down().isEmpty()) {
                state = clearance.prepared(fence.get());
                events.accept(new Event.Synced(fence.get().text()));
                LOG.info("decisions begin: fence {}", fence.get().text());
            }
        }
    }

    /**
     * Watches the kinds that are on, and no others. Before a new one comes decisions stop, and begin anew when all of its jobs
     * were seen: an admission that is found then is as good as one found at the start.
     */
    private void adopt(Sight seen, Consumer<Event> events) {
        List<GangKind> on = discovery.on();
        if (!seen.sees(on) && state.cleared() != null) {
            state = new Clearance.State(null, state.downSince());
            events.accept(new Event.Unsynced());
            LOG.info("decisions stop until the jobs of a new kind were seen");
        }
        seen.see(on);
        seen.seeClaims(discovery.servesClaims());
    }

    private void awaitRefusal(Sight seen, Fence own) {
        Optional<Fence> before = leadership.predecessor().filter(fence -> !fence.equals(own));
        if (before.isEmpty()) {
            return;
        }
        Handover.Outcome outcome = handover.await(seen.jobs().all(), before.get());
        if (outcome.warns()) {
            LOG.warn(
                    "it is not sure that the leader before can no longer write under its fence {}: {}",
                    before.get().text(),
                    outcome.sentence());
        }
    }

    /** Waits a moment; whether this cluster is being closed. */
    private boolean pause() {
        try {
            return closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Stops to decide, lets writes under way end, releases the Lease, and closes the watches. */
    @Override
    public void close() {
        closing.countDown();
        lookThread.shutdownNow();
        kindsThread.shutdownNow();
        leaseThread.shutdownNow();
        await(leaseThread);
        Writer started = writer;
        if (started != null) {
            started.close();
        }
        leadership.release();
        Notes teller = notes;
        if (teller != null) {
            teller.close();
        }
        Sight seen = sight;
        if (seen != null) {
            seen.close();
        }
    }

    private static void await(ScheduledExecutorService thread) {
        try {
            if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
                LOG.warn("a look at the lease is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void every(ScheduledExecutorService thread, Duration pause, String what, Runnable task) {
        thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (KubernetesClientException e) {
                        LOG.warn("could not {}, which is tried again: {}", what, reason(e));
                    } catch (RuntimeException e) { // else the schedule would end in silence
                        LOG.error("could not {}, which is tried again", what, e);
                    }
                },
                0,
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** The innermost message: the client's own is often empty. */
    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure.toString() : reason(cause);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}

package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.TeamQueue;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.engine.Action;
import dev.muster.engine.Cluster;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import dev.muster.files.Manifest;
import dev.muster.files.ManifestReader;
import dev.muster.files.Problem;
import dev.muster.files.Reading;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.QueueReader;
import dev.muster.jobs.Surroundings;
import dev.muster.local.rules.LocalRules;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A cluster in memory: an API server, a job controller, a scheduler and kubelets over one store.
 *
 * <p>All of it runs under one lock, so each call finds and leaves it settled: after every write the job controller and the
 * scheduler have done all that they can do at that moment. What takes time (starting, running, stopping) stands on a
 * timeline and happens in {@link #tick}. Writes of a plan go through the given executor, so that the engine's thread
 * never waits for this lock.
 */
public final class LocalCluster implements Cluster {
    private static final String FENCE = "local/0";

    private final ManifestReader reader = new ManifestReader();
    private final Timeline timeline = new Timeline();
    private final LocalStore store;
    private final LocalServer server;
    private final JobController jobs;
    private final PodScheduler scheduler;
    private final PlanWriter plans;
    private final Surroundings surroundings;
    private final Executor writes;
    private final LongSupplier clock;
    private final Set<LocalStore.Key> unsettled = new LinkedHashSet<>();
    private Consumer<Event> events = event -> {};
    private boolean started;

    /**
     * An empty cluster.
     *
     * @param clock virtual milliseconds since the epoch
     * @param writes carries out plans, one after the other
     */
    public LocalCluster(Door door, LocalRules rules, LongSupplier clock, Executor writes) {
        this.clock = clock;
        this.writes = writes;
        store = new LocalStore(clock.getAsLong());
        surroundings = new StoreSurroundings(store);
        Admissions admissions = new Admissions(door, rules.policies());
        server = new LocalServer(store, rules, admissions);
        Kubelet kubelet = new Kubelet(store, timeline);
        scheduler = new PodScheduler(store, kubelet);
        Pods pods = new Pods(store);
        jobs = new JobController(store, pods, new JobPods(store, admissions), kubelet);
        plans = new PlanWriter(store, server, FENCE);
        store.watch(pods);
        store.watch(scheduler);
        store.watch(new Unsettled(unsettled, store));
        store.watch(new Retention(store, pods, timeline));
    }

    @Override
    public synchronized void start(Consumer<Event> receiver) {
        if (started) {
            throw new IllegalStateException("the local cluster delivers its events already");
        }
        started = true;
        events = receiver;
        EventFeed feed = new EventFeed(surroundings, receiver);
        for (String kind : List.of("GpuNodeClass", "TeamQueue", "Node", "Pod", "Job")) {
            store.list(kind).forEach(object -> feed.stored(LocalStore.Key.of(object), object));
        }
        store.watch(feed);
        receiver.accept(new Event.Synced(FENCE));
    }

    @Override
    public void carryOut(Plan plan) {
        if (!plan.actions().isEmpty()) {
            writes.execute(() -> write(plan));
        }
    }

    private synchronized void write(Plan plan) {
        long now = clock.getAsLong();
        for (Action action : plan.actions()) {
            events.accept(plans.write(action, now));
        }
        settle(now);
    }

    /** Lets everything happen that is due by now, each thing at its own time. */
    public synchronized void tick() {
        long now = clock.getAsLong();
        for (long at = timeline.runNext(now); at >= 0; at = timeline.runNext(now)) {
            settle(at);
        }
        settle(now);
    }

    /** Applies a manifest of one or more documents; {@code dryRun} stores nothing. */
    public synchronized Applied apply(String yaml, boolean dryRun) {
        Reading reading = reader.read("STDIN", yaml);
        return apply(reading, dryRun);
    }

    /** Applies what was read, in its order. */
    public synchronized Applied apply(Reading reading, boolean dryRun) {
        List<String> lines = new ArrayList<>();
        boolean refused = false;
        long now = clock.getAsLong();
        for (Manifest manifest : reading.manifests()) {
            List<String> warnings = new ArrayList<>();
            boolean patched = server.has(manifest);
            String line;
            try {
                ApplyText.requireKnownFields(manifest);
                LocalServer.Change change = server.apply(manifest, dryRun, now, warnings);
                line = ApplyText.done(manifest, change, dryRun);
            } catch (Refused refusal) {
                refused = true;
                line = ApplyText.refused(manifest, refusal, patched);
            }
            warnings.forEach(warning -> lines.add("Warning: " + warning));
            lines.add(line);
            settle(now);
        }
        List<Problem> others = reading.problemsOfNoManifest();
        others.forEach(problem -> lines.add("error: " + problem));
        return new Applied(lines, refused || !others.isEmpty());
    }

    /** The stored object with this UID. */
    public synchronized Optional<ObjectNode> object(String uid) {
        return store.byUid(uid);
    }

    /** The stored object; {@code namespace} is empty for cluster-scoped kinds. */
    public synchronized Optional<ObjectNode> object(String kind, String namespace, String name) {
        return store.get(new LocalStore.Key(kind, namespace, name));
    }

    /** All stored objects of a kind, by namespace and name. */
    public synchronized List<ObjectNode> objects(String kind) {
        return store.list(kind);
    }

    /** The stored job with this UID. */
    public synchronized Optional<Job> job(String uid) {
        return store.byUid(uid).map(tree -> Models.read(tree, Job.class));
    }

    /** The stored queue of this name. */
    public synchronized Optional<Queue> queue(String name) {
        return store.get(new LocalStore.Key("TeamQueue", "", name))
                .map(tree -> QueueReader.read(Models.read(tree, TeamQueue.class)));
    }

    /** All stored node classes, by name. */
    public synchronized List<NodeClass> nodeClasses() {
        return store.list("GpuNodeClass").stream()
                .map(tree -> ClassReader.read(Models.read(tree, GpuNodeClass.class)))
                .toList();
    }

    /** What jobs are read with here. */
    public Surroundings surroundings() {
        return surroundings;
    }

    @Override
    public synchronized boolean isSynced() {
        return started;
    }

    @Override
    public synchronized void close() {
        started = false;
        events = event -> {};
    }

    /** Job controller and scheduler, until neither has anything left to do now. */
    private void settle(long now) {
        do {
            while (!unsettled.isEmpty()) {
                LocalStore.Key next = unsettled.iterator().next();
                unsettled.remove(next);
                jobs.sync(next, now);
            }
            scheduler.schedule(now);
        } while (!unsettled.isEmpty());
    }
}

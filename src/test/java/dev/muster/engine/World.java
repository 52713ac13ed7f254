package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An engine with a small API server around it that accepts every write, in time that only the test moves. */
final class World {
    static final String GPU = "nvidia.com/gpu";
    static final String FENCE = "lease-1/1";

    private final EngineSettings settings;
    final Engine engine;
    final Map<String, Gang> jobs = new TreeMap<>();
    final Map<String, GangStatus> statuses = new TreeMap<>();
    final Map<String, PodFacts> pods = new TreeMap<>();
    static final long POD_GRACE = 30_000;
    long now = 1_000_000;
    private final List<Event> setUp = new ArrayList<>();
    private long version = 1;
    /** Under which its engine leads, once it does. */
    private String fence = FENCE;

    /** One that tells nobody why it waits, and in which starts may take any time. */
    World() {
        this(EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY).with(EngineSettings.Life.UNBOUNDED));
    }

    World(EngineSettings settings) {
        this.settings = settings;
        engine = new Engine(settings);
    }

    static World synced() {
        World world = new World();
        world.engine.apply(new Event.Synced(FENCE));
        return world;
    }

    // ---- what exists

    World nodeClass(String name) {
        tell(new Event.ClassSeen(
                new NodeClass(name, Map.of("gpu", name), null, List.of(), GPU, Map.of(), List.of(), null)));
        return this;
    }

    World node(String name, String nodeClass, long gpus) {
        tell(new Event.NodeSeen(nodeFacts(name, nodeClass, gpus)));
        return this;
    }

    static NodeFacts nodeFacts(String name, String nodeClass, long gpus) {
        return new NodeFacts(
                name,
                Map.of("gpu", nodeClass),
                List.of(),
                Amounts.of(Map.of(GPU, gpus, "cpu", 64_000L, "memory", 1L << 39, "pods", 110L)),
                true,
                false);
    }

    World queue(String name, long h100) {
        return queue(name, Map.of("h100", h100));
    }

    /** A queue below a parent, with quota of class h100. */
    World child(String name, String parent, long h100) {
        tell(new Event.QueueSeen(queueOf(
                name,
                parent,
                List.of(new Queue.Quota("h100", GPU, h100, OptionalLong.empty(), OptionalLong.empty(), 0)))));
        return this;
    }

    World weighted(String name, String parent, long h100, long weight) {
        Queue plain = queueOf(
                name,
                parent,
                List.of(new Queue.Quota("h100", GPU, h100, OptionalLong.empty(), OptionalLong.empty(), 0)));
        tell(new Event.QueueSeen(new Queue(
                name,
                parent,
                plain.owner(),
                weight,
                plain.namespaces(),
                plain.quotas(),
                plain.limits(),
                plain.preemption(),
                plain.stop(),
                plain.unspecific())));
        return this;
    }

    /** A firm gang that names its node class. */
    Gang wishing(String name, String queue, int members, long gpus, String nodeClass) {
        return with(gang(name, queue, members, gpus, 0), List.of(nodeClass), OptionalLong.empty());
    }

    /** A firm gang with a bound of its run time, in milliseconds. */
    Gang bounded(String name, String queue, int members, long gpus, long maxRuntime) {
        return with(gang(name, queue, members, gpus, 0), List.of(), OptionalLong.of(maxRuntime));
    }

    private static Gang with(Gang gang, List<String> nodeClasses, OptionalLong maxRuntime) {
        return new Gang(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                gang.queue(),
                gang.priority(),
                gang.interruptible(),
                gang.submittedAt(),
                gang.podsets(),
                nodeClasses,
                List.of(),
                maxRuntime);
    }

    /** Another engine that has seen the same cluster: what a restart, or a new leader, begins with. */
    World restarted() {
        return restarted(List.of());
    }

    /** The same, that has also read what was stored of the engine's memory. */
    World restarted(List<Event> remembered) {
        World next = new World(settings);
        next.now = now;
        next.version = version + 1;
        next.jobs.putAll(jobs);
        setUp.forEach(next::tell);
        pods.values().forEach(next::putPod);
        statuses.forEach(next::show);
        remembered.forEach(next.engine::apply);
        next.fence = "lease-1/2";
        next.engine.apply(new Event.Synced(next.fence));
        return next;
    }

    private void tell(Event event) {
        setUp.add(event);
        engine.apply(event);
    }

    /** The job's controller takes a stop up: its pods leave. */
    void leave(Gang gang) {
        pods.values().removeIf(pod -> {
            boolean is = pod.membership() != null && pod.membership().gangUid().equals(gang.uid());
            if (is) {
                engine.apply(new Event.PodSeen(pod.in(PodFacts.Phase.ENDED)));
                engine.apply(new Event.PodDeleted(pod.uid()));
            }
            return is;
        });
        report(gang.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);
    }

    World queue(String name, Map<String, Long> gpusByClass) {
        List<Queue.Quota> quotas = new ArrayList<>();
        new TreeMap<>(gpusByClass)
                .forEach((nodeClass, gpus) -> quotas.add(
                        new Queue.Quota(nodeClass, GPU, gpus, OptionalLong.empty(), OptionalLong.empty(), 0)));
        tell(new Event.QueueSeen(queueOf(name, null, quotas)));
        return this;
    }

    static Queue queueOf(String name, @Nullable String parent, List<Queue.Quota> quotas) {
        return new Queue(
                name,
                parent,
                name + "-lead",
                1,
                Set.of(),
                quotas,
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.WARN);
    }

    Gang submit(String name, String queue, int members, long gpus) {
        return submit(gang(name, queue, members, gpus, 0));
    }

    Gang gang(String name, String queue, int members, long gpus, int priority) {
        PodShape shape = new PodShape(Amounts.of(Map.of(GPU, gpus, "cpu", 1_000L, "pods", 1L)), List.of(), List.of());
        return new Gang(
                "uid-" + name,
                "team",
                name,
                queue,
                priority,
                false,
                now++,
                List.of(new PodSet("main", members, members, shape, true, null)),
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    /** A gang that may borrow and be preempted. */
    Gang spot(String name, String queue, int members, long gpus, int priority) {
        Gang firm = gang(name, queue, members, gpus, priority);
        return new Gang(
                firm.uid(),
                firm.namespace(),
                name,
                queue,
                priority,
                true,
                firm.submittedAt(),
                firm.podsets(),
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    Gang submit(Gang gang) {
        jobs.put(gang.uid(), gang);
        show(
                gang.uid(),
                new GangStatus(
                        next(),
                        true,
                        Acknowledged.UNKNOWN,
                        0,
                        0,
                        Map.of(),
                        End.NOT_YET,
                        null,
                        null,
                        "",
                        GangMarks.NONE));
        return gang;
    }

    // ---- what happens

    /** Cycles until nothing more is decided, accepts every write, and returns the actions. */
    List<Action> settle() {
        List<Action> all = new ArrayList<>();
        Plan plan = engine.cycle(now, 100);
        for (int cycles = 0; !plan.actions().isEmpty() || plan.more(); cycles++) {
            if (cycles > 1_000) {
                throw new AssertionError("the engine never comes to rest; last: " + plan.actions());
            }
            all.addAll(plan.actions());
            plan.actions().forEach(this::accept);
            plan = engine.cycle(now, 100);
        }
        if (plan.wakeAt() <= now) {
            throw new AssertionError("the engine wants to be woken at " + plan.wakeAt() + ", and it is " + now);
        }
        return all;
    }

    void accept(Action action) {
        String uid = action.target().uid();
        if (action instanceof Action.PlacePod) {
            PodFacts pod = pods.get(uid);
            engine.apply(new Event.WriteDone(uid, next()));
            putPod(new PodFacts(
                    uid,
                    pod.namespace(),
                    pod.name(),
                    null,
                    pod.requests(),
                    pod.phase(),
                    false,
                    true,
                    pod.membership(),
                    pod.grace()));
            return;
        }
        if (action instanceof Action.TellPod tell) {
            engine.apply(new Event.WriteDone(uid, next()));
            PodFacts pod = pods.get(uid);
            putPod(pod.telling(pod.report().noted(pod.report().lastCheckpoint(), OptionalLong.of(tell.stopAt()))));
            return;
        }
        GangStatus changed = statuses.get(uid).after(action.change().orElseThrow(), next(), fence);
        engine.apply(new Event.WriteDone(uid, changed.resourceVersion()));
        show(uid, changed);
    }

    /** The status of a running gang of which somebody has set suspend. */
    GangStatus stoppedByHand(Gang gang) {
        return statuses.get(gang.uid()).after(new JobChange.Stop(Reason.QUEUE_STOPPED, ""), next(), "");
    }

    /** The job's controller reports. */
    void report(String uid, Acknowledged resumed, int active, int terminating, End end) {
        show(uid, statuses.get(uid).reported(next(), resumed, active, terminating, end));
    }

    void show(String uid, GangStatus status) {
        statuses.put(uid, status);
        engine.apply(new Event.GangSeen(job(uid), status));
    }

    /** All members come up on their planned nodes. */
    void run(Gang gang) {
        int rank = 0;
        for (PodSetPlace place : admission(gang).podsets()) {
            for (NodeSlots slots : place.nodes()) {
                for (int i = 0; i < slots.members(); i++) {
                    putPod(member(gang, place.podset(), rank++, slots.node(), PodFacts.Phase.READY));
                }
            }
        }
        report(gang.uid(), Acknowledged.YES, rank, 0, End.NOT_YET);
    }

    PodFacts member(Gang gang, String podset, int rank, @Nullable String node, PodFacts.Phase phase) {
        return new PodFacts(
                gang.uid() + "-" + podset + "-" + rank,
                gang.namespace(),
                gang.name() + "-" + rank,
                node,
                gang.podsets().get(0).shape().requests(),
                phase,
                node == null,
                true,
                new PodFacts.Membership(gang.uid(), podset, gang.queue(), "h100"),
                POD_GRACE);
    }

    void putPod(PodFacts pod) {
        pods.put(pod.uid(), pod);
        engine.apply(new Event.PodSeen(pod));
    }

    /** All pods end, then the job. */
    void finish(Gang gang) {
        List.copyOf(pods.values()).stream()
                .filter(pod ->
                        pod.membership() != null && pod.membership().gangUid().equals(gang.uid()))
                .forEach(pod -> putPod(pod.in(PodFacts.Phase.ENDED)));
        report(gang.uid(), Acknowledged.YES, 0, 0, End.SUCCEEDED);
    }

    // ---- what can be seen

    Gang job(String uid) {
        return Objects.requireNonNull(jobs.get(uid), () -> "the world knows no job " + uid);
    }

    Admission admission(Gang gang) {
        return Objects.requireNonNull(statuses.get(gang.uid()).admission(), () -> gang.name() + " is not admitted");
    }

    Views.GangView view(Gang gang) {
        return engine.views().gang(gang.namespace(), gang.name()).orElseThrow();
    }

    String sentence(Gang gang) {
        return view(gang).waiting() == null ? "" : view(gang).waiting().sentence();
    }

    /** What a queue uses of its first quota. */
    long used(String queue) {
        return engine.views().queue(queue).orElseThrow().quotas().get(0).used();
    }

    static List<String> admitted(List<Action> actions) {
        return actions.stream()
                .filter(Action.Admit.class::isInstance)
                .map(action -> action.target().name())
                .toList();
    }

    String next() {
        return Long.toString(version++);
    }
}

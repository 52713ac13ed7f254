package dev.muster.bench;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.model.TopologyWish;
import dev.muster.engine.Action;
import dev.muster.engine.Engine;
import dev.muster.engine.EngineSettings;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** An engine with a made-up fleet and queues, whose every write is stored at once; time moves only when told. */
public final class Scene {
    static final String GPU = "nvidia.com/gpu";
    static final String CLASS = "h100";
    static final String RACK = "example.com/rack";
    static final long SECOND = 1_000;
    static final long HOUR = 3_600_000;

    private static final int PER_RACK = 16;
    private static final String FENCE = "bench/1";
    private static final Plan NOTHING = new Plan(List.of(), false, Long.MAX_VALUE);

    final Engine engine = new Engine(
            EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY).with(EngineSettings.Life.UNBOUNDED));
    /** Gangs that hold an admission, in the order of their start. */
    final ArrayDeque<String> running = new ArrayDeque<>();

    private final Map<String, Job> jobs = new HashMap<>();
    private final List<List<PodSet>> shapes = new ArrayList<>();
    private final int nodes;
    private final int gpusPerNode;
    private long submitted;
    private long version = 1;
    private long admissions;
    private Plan last = NOTHING;
    long now = 1_700_000_000_000L;

    private static final class Job {
        final Gang gang;
        GangStatus status;

        Job(Gang gang, GangStatus status) {
            this.gang = gang;
            this.status = status;
        }
    }

    /** Nodes of one class in racks of 16, and queues below one root that divide the whole fleet evenly. */
    Scene(int nodes, int gpusPerNode, int queues) {
        this.nodes = nodes;
        this.gpusPerNode = gpusPerNode;
        engine.apply(new Event.ClassSeen(new NodeClass(
                CLASS, Map.of("gpu", CLASS), null, List.of(), GPU, Map.of(), List.of(RACK), null)));
        for (int node = 0; node < nodes; node++) {
            show(node, true);
        }
        engine.apply(new Event.QueueSeen(queue("org", null, 0)));
        for (int queue = 0; queue < queues; queue++) {
            queue(queue, (long) nodes * gpusPerNode / queues);
        }
    }

    /** A node as it is, or cordoned. */
    void show(int node, boolean usable) {
        engine.apply(new Event.NodeSeen(new NodeFacts(
                "node-%05d".formatted(node),
                Map.of("gpu", CLASS, RACK, "rack-%04d".formatted(node / PER_RACK)),
                List.of(),
                Amounts.of(Map.of(
                        GPU, (long) gpusPerNode, Amounts.CPU, 1_000_000L, Amounts.MEMORY, 1L << 41, Amounts.PODS, 250L)),
                true,
                !usable)));
    }

    /** Queue number so-and-so has another nominal quota from now on. */
    void queue(int number, long nominal) {
        engine.apply(new Event.QueueSeen(queue(name(number), "org", nominal)));
    }

    private static String name(int queue) {
        return "team-%04d".formatted(queue);
    }

    private static Queue queue(String name, String parent, long nominal) {
        return new Queue(
                name,
                parent,
                "bench",
                1,
                Set.of(),
                List.of(new Queue.Quota(CLASS, GPU, nominal, OptionalLong.empty(), OptionalLong.empty(), 0)),
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.ALLOW);
    }

    /** So many different shapes of members; shapes of the same GPUs differ in CPU. */
    void shapes(int count, int... gpus) {
        shapes.clear();
        for (int i = 0; i < count; i++) {
            shapes.add(podsets(1, gpus[i % gpus.length], 1_000 + i, null));
        }
    }

    static List<PodSet> podsets(int members, long gpus, long cpu, TopologyWish topology) {
        Amounts requests =
                Amounts.of(Map.of(GPU, gpus, Amounts.CPU, cpu, Amounts.MEMORY, 1L << 33, Amounts.PODS, 1L));
        return List.of(
                new PodSet("worker", members, members, new PodShape(requests, List.of(), List.of()), true, topology));
    }

    /** The next job: its shape and queue go by its number. Not kept here. */
    Gang next(int queues, boolean interruptible) {
        int shape = (int) (submitted % shapes.size());
        int queue = (int) (submitted / shapes.size() % queues);
        return gang(queue, shapes.get(shape), interruptible);
    }

    Gang gang(int queue, List<PodSet> podsets, boolean interruptible) {
        long number = submitted++;
        return new Gang(
                "0a1b2c3d-4e5f-4a6b-8c7d-%012x".formatted(number),
                "research",
                "train-%07d".formatted(number),
                name(queue),
                0,
                interruptible,
                now - 1_000_000 + number,
                podsets,
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    /** A waiting job is seen, and nobody here keeps it. */
    void see(Gang gang) {
        engine.apply(new Event.GangSeen(gang, waiting()));
    }

    private GangStatus waiting() {
        return new GangStatus(
                version(), true, Acknowledged.UNKNOWN, 0, 0, Map.of(), End.NOT_YET, null, null, "", GangMarks.NONE);
    }

    /** A job is stored and seen. */
    Gang submit(Gang gang) {
        show(new Job(gang, waiting()));
        return gang;
    }

    /** Submits so many jobs of the declared shapes. */
    void submit(int count, int queues, boolean interruptible) {
        for (int i = 0; i < count; i++) {
            submit(next(queues, interruptible));
        }
    }

    /** Takes in what was seen, as a follower does; nothing is decided. */
    void follow() {
        engine.cycle(now, 1);
    }

    void lead() {
        engine.apply(new Event.Synced(FENCE));
    }

    /** One cycle; nothing is stored. */
    Plan cycle() {
        last = engine.cycle(now, Integer.MAX_VALUE);
        return last;
    }

    /** No write of the last cycle was stored: the objects had changed. */
    void refuseAll() {
        last.actions()
                .forEach(action -> engine.apply(
                        new Event.WriteRefused(action.target().uid(), Event.Refusal.STALE, "", now)));
        last = NOTHING;
    }

    /** Stores what the last cycle has decided, and cycles until nothing more is. Returns how many were admitted. */
    long settle() {
        long before = admissions;
        last.actions().forEach(this::store);
        do {
            cycle();
            last.actions().forEach(this::store);
        } while (!last.actions().isEmpty() || last.more());
        return admissions - before;
    }

    /** A write is stored, and seen. */
    void store(Action action) {
        Job job = jobs.get(action.target().uid());
        GangStatus stored = job.status.after(action.change().orElseThrow(), version(), FENCE);
        engine.apply(new Event.WriteDone(action.target().uid(), stored.resourceVersion()));
        if (action instanceof Action.Admit) {
            admissions++;
            running.add(action.target().uid());
            stored = stored.reported(stored.resourceVersion(), Acknowledged.YES, 0, 0, End.NOT_YET);
        }
        job.status = stored;
        if (stored.end() == End.NOT_YET) {
            show(job);
        } else {
            delete(action.target().uid());
        }
    }

    private void show(Job job) {
        jobs.put(job.gang.uid(), job);
        engine.apply(new Event.GangSeen(job.gang, job.status));
    }

    /** The gang that started first has ended. */
    void finishOne() {
        Job job = jobs.get(running.remove());
        job.status = job.status.reported(version(), Acknowledged.YES, 0, 0, End.SUCCEEDED);
        show(job);
    }

    void delete(String uid) {
        jobs.remove(uid);
        engine.apply(new Event.GangDeleted(uid));
    }

    int nodes() {
        return nodes;
    }

    private String version() {
        return Long.toString(version++);
    }
}

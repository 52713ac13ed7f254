package dev.muster.sim;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.engine.Action;
import dev.muster.engine.Engine;
import dev.muster.engine.EngineSettings;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * One run of a trace through an engine, in virtual time.
 *
 * <p>Every write is accepted at once; an admitted gang runs at once on its planned nodes and ends after its run time; a
 * stopped one leaves at once and begins anew, or from its last checkpoint. Pods are not shown one by one: the engine then
 * counts the planned places. Same input, same run.
 */
public final class Replay {
    private static final String FENCE = "replay/1";
    private static final int BUDGET = 1_000_000;

    private final Engine engine;
    private final long checkpointEvery;
    private final Tally tally;
    private final Map<String, Life> lives = new HashMap<>();
    private final PriorityQueue<Happening> agenda = new PriorityQueue<>();
    private final List<TraceJob> jobs;
    private final Map<Integer, List<PodSet>> podsets = new HashMap<>();
    private long now;
    private long version = 1;
    private long cycles;
    private int order;

    /** What happens to a job of itself. {@code attempt} tells the end of a run from that of a later one. */
    private record Happening(long at, int order, String uid, int attempt) implements Comparable<Happening> {
        @Override
        public int compareTo(Happening other) {
            return at != other.at ? Long.compare(at, other.at) : Integer.compare(order, other.order);
        }
    }

    /** A job as the replay keeps it. */
    private static final class Life {
        final TraceJob job;
        final Gang gang;
        GangStatus status;
        int attempt;
        long firstStart = -1;
        long startedAt = -1;
        /** Work saved by checkpoints of earlier attempts, in milliseconds of run time. */
        long saved;

        Life(TraceJob job, Gang gang, GangStatus status) {
            this.job = job;
            this.gang = gang;
            this.status = status;
        }
    }

    /**
     * @param checkpointEvery how often running jobs save their work, in milliseconds; 0 means never
     */
    public Replay(EngineSettings settings, Cell cell, Trace trace, long checkpointEvery) {
        this.checkpointEvery = checkpointEvery;
        jobs = trace.jobs();
        engine = new Engine(settings.with(EngineSettings.Telling.NOBODY).with(EngineSettings.Life.UNBOUNDED));
        tally = new Tally(cell, jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).submitAt());
        engine.apply(new Event.ClassSeen(cell.nodeClass()));
        cell.nodeFacts().forEach(node -> engine.apply(new Event.NodeSeen(node)));
        cell.queues().forEach(queue -> engine.apply(new Event.QueueSeen(queue)));
        engine.apply(new Event.Synced(FENCE));
    }

    /** The engine, for questions between or after runs. */
    public Engine engine() {
        return engine;
    }

    /** Runs until nothing more happens, and returns what was measured. */
    public Measured run() {
        int next = 0;
        long wakeAt = Long.MAX_VALUE;
        while (true) {
            Happening first = agenda.peek();
            long submission = next < jobs.size() ? jobs.get(next).submitAt() : Long.MAX_VALUE;
            long at = Math.min(submission, first == null ? Long.MAX_VALUE : first.at);
            if (at == Long.MAX_VALUE && (wakeAt == Long.MAX_VALUE || lives.isEmpty())) {
                break;
            }
            now = Math.max(now, Math.min(at, wakeAt));
            while (next < jobs.size() && jobs.get(next).submitAt() <= now) {
                submit(jobs.get(next++));
            }
            while (!agenda.isEmpty() && agenda.peek().at <= now) {
                end(agenda.remove());
            }
            wakeAt = decide();
        }
        return tally.measured(lives.size(), cycles);
    }

    private long decide() {
        Plan plan = engine.cycle(now, BUDGET);
        cycles++;
        while (!plan.actions().isEmpty() || plan.more()) {
            plan.actions().forEach(this::accept);
            plan = engine.cycle(now, BUDGET);
            cycles++;
        }
        return plan.wakeAt() <= now ? now + 1 : plan.wakeAt();
    }

    private void submit(TraceJob job) {
        GangStatus status = new GangStatus(
                version(), true, Acknowledged.UNKNOWN, 0, 0, Map.of(), End.NOT_YET, null, null, "", GangMarks.NONE);
        Life life = new Life(job, gang(job), status);
        lives.put(life.gang.uid(), life);
        show(life, status);
    }

    private Gang gang(TraceJob job) {
        return new Gang(
                job.name(),
                "replay",
                job.name(),
                job.queue(),
                0,
                job.interruptible(),
                job.submitAt(),
                podsets.computeIfAbsent(job.gpus(), gpus -> podsets(job)),
                List.of(),
                List.of(),
                job.maxRuntime());
    }

    private static List<PodSet> podsets(TraceJob job) {
        int each = job.gpusPerMember();
        PodShape shape =
                new PodShape(Amounts.of(Map.of(Cell.GPU, (long) each, Amounts.PODS, 1L)), List.of(), List.of());
        int members = job.gpus() / each;
        return List.of(new PodSet("main", members, members, shape, true, null));
    }

    private void end(Happening happening) {
        Life life = lives.get(happening.uid);
        if (life == null || life.attempt != happening.attempt || life.startedAt < 0) {
            return;
        }
        tally.leave(life.gang.uid(), now);
        tally.ran(new Measured.Run(life.job, life.firstStart, now));
        life.startedAt = -1;
        show(life, report(life.status, Acknowledged.YES, End.SUCCEEDED));
    }

    private void accept(Action action) {
        String uid = action.target().uid();
        Life life = lives.get(uid);
        if (life == null) {
            return;
        }
        GangStatus changed = change(life, action);
        engine.apply(new Event.WriteDone(uid, changed.resourceVersion()));
        if (life.status.end() == End.NOT_YET) {
            show(life, changed);
        } else {
            lives.remove(uid);
            engine.apply(new Event.GangDeleted(uid));
        }
    }

    private GangStatus change(Life life, Action action) {
        GangStatus stored = life.status.after(action.change().orElseThrow(), version(), FENCE);
        if (action instanceof Action.Admit admit) {
            start(life, admit.admission());
            return report(stored, Acknowledged.YES, stored.end());
        }
        if (action instanceof Action.Stop) {
            stop(life);
            return report(stored, Acknowledged.NO, stored.end());
        }
        return stored;
    }

    private GangStatus report(GangStatus stored, Acknowledged resumed, End end) {
        return stored.reported(version(), resumed, 0, 0, end);
    }

    private void start(Life life, Admission admission) {
        life.attempt++;
        life.startedAt = now;
        life.firstStart = life.firstStart < 0 ? now : life.firstStart;
        tally.enter(life.gang.uid(), life.job.gpusPerMember(), admission, now);
        agenda.add(new Happening(now + life.job.duration() - life.saved, order++, life.gang.uid(), life.attempt));
    }

    private void stop(Life life) {
        if (life.startedAt < 0) {
            return;
        }
        long ran = now - life.startedAt;
        long kept = checkpointEvery == 0 ? 0 : ran / checkpointEvery * checkpointEvery;
        life.saved += kept;
        life.startedAt = -1;
        tally.lost(life.job.gpus() * (ran - kept));
        tally.leave(life.gang.uid(), now);
    }

    private void show(Life life, GangStatus status) {
        life.status = status;
        engine.apply(new Event.GangSeen(life.gang, status));
    }

    private String version() {
        return Long.toString(version++);
    }
}

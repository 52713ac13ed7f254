package dev.muster.engine;

import dev.muster.core.model.Attempt;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.Queue;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A gang of one member of 8 GPUs on the only node of its kind, brought to a stage of its life, and what can happen to it there.
 * Its grace is an hour and its run time 10 hours, so that nothing ends by the way.
 */
final class LifeStages {
    private static final long MINUTE = 60_000;
    private static final EngineSettings.Life LIFE = EngineSettings.Life.DEFAULT;

    final World world = new World(EngineSettings.DEFAULT
                    .with(EngineSettings.Telling.NOBODY)
                    .with(new EngineSettings.Reserving(0, 0, 0)))
            .nodeClass("h100")
            .node("n1", "h100", 8);
    final Gang gang;

    LifeStages() {
        queue(Queue.Stop.NONE);
        world.engine.apply(new Event.Synced(World.FENCE));
        Gang spot = world.spot("train", "vision", 1, 8, 0);
        gang = new Gang(
                spot.uid(),
                spot.namespace(),
                spot.name(),
                spot.queue(),
                0,
                true,
                spot.submittedAt(),
                spot.podsets(),
                List.of(),
                List.of(),
                OptionalLong.of(600 * MINUTE));
    }

    private void queue(Queue.Stop stop) {
        Queue plain = World.queueOf(
                "vision",
                null,
                List.of(new Queue.Quota("h100", World.GPU, 8, OptionalLong.empty(), OptionalLong.empty(), 0)));
        world.engine.apply(new Event.QueueSeen(new Queue(
                "vision",
                null,
                plain.owner(),
                1,
                Set.of(),
                plain.quotas(),
                plain.limits(),
                new Queue.Preemption(10 * MINUTE, 60 * MINUTE),
                stop,
                plain.unspecific())));
    }

    // ---- stages

    /** Brings it to a stage, from its submission on. */
    void reach(String stage) {
        switch (stage) {
            case "waiting" -> {
                Gang other = world.submit("other", "vision", 1, 8);
                world.settle();
                world.run(other);
                world.submit(gang);
            }
            case "resting", "held" -> {
                world.submit(gang);
                int failures = stage.equals("held") ? LIFE.failures() : 1;
                PastRuns past = PastRuns.NONE;
                for (int i = 1; i <= failures; i++) {
                    past = past.with(
                            new Attempt(i, world.now - 1, 0, "StartFailed", PodReport.Fault.JOB, false, List.of()),
                            world.now,
                            false);
                }
                GangStatus status = status();
                world.show(
                        gang.uid(), status.marked(world.next(), status.marks().having(past)));
            }
            case "admitted" -> world.submit(gang);
            case "running", "short", "told", "leaving", "finished" -> {
                world.submit(gang);
                world.settle();
                world.run(gang);
                world.settle();
                world.now += 11 * MINUTE;
                onwards(stage);
            }
            default -> throw new IllegalArgumentException("there is no stage " + stage);
        }
        world.settle();
    }

    private void onwards(String stage) {
        switch (stage) {
            case "short" -> member(0, Phase.ENDED, PodReport.of(Trouble.DISRUPTED, 0, "EvictionByEvictionAPI", ""));
            case "told" -> happen("due");
            case "leaving" -> {
                happen("due");
                world.settle();
                happen("saved");
            }
            case "finished" -> happen("succeeds");
            default -> {}
        }
    }

    // ---- what can happen

    /** Lets it happen; what follows from it is left to the next cycles. */
    void happen(String event) {
        switch (event) {
            case "ready" -> {
                if (status().admission() != null) {
                    member(9, Phase.READY, PodReport.NONE);
                }
            }
            case "image" -> {
                member(9, Phase.PENDING, PodReport.of(Trouble.IMAGE, 0, "ErrImagePull", ""));
                world.settle();
                world.now += LIFE.trouble();
            }
            case "struck" -> {
                for (int i = 20; i < 23; i++) {
                    member(i, Phase.ENDED, PodReport.of(Trouble.REFUSED, 0, "UnexpectedAdmissionError", ""));
                }
            }
            case "late" -> world.now += LIFE.start();
            case "member" -> {
                member(0, Phase.ENDED, PodReport.of(Trouble.DISRUPTED, 0, "EvictionByEvictionAPI", ""));
                world.settle();
                world.now += LIFE.repair();
            }
            case "node" -> {
                NodeFacts well = World.nodeFacts("n1", "h100", 8);
                world.engine.apply(new Event.NodeSeen(
                        new NodeFacts("n1", well.labels(), List.of(), well.allocatable(), false, false)));
                world.settle();
                world.now += LIFE.blink();
            }
            case "drain" -> queue(Queue.Stop.DRAIN);
            case "due" -> world.submit(world.gang("urgent", "vision", 1, 8, 5));
            case "time" -> world.now += 600 * MINUTE;
            case "saved" -> {
                world.now += MINUTE;
                member(0, Phase.READY, PodReport.NONE.noted(OptionalLong.of(world.now), OptionalLong.empty()));
            }
            case "gone" -> {
                End end = status().end();
                world.leave(gang);
                world.report(gang.uid(), Acknowledged.NO, 0, 0, end);
            }
            case "succeeds" -> world.finish(gang);
            case "fails" -> world.report(gang.uid(), Acknowledged.YES, 0, 0, End.FAILED);
            case "deleted" -> world.report(gang.uid(), status().resumed(), 0, 0, End.LEAVING);
            case "hand" -> world.show(gang.uid(), suspendedByHand());
            default -> throw new IllegalArgumentException("nothing is called " + event);
        }
    }

    private GangStatus suspendedByHand() {
        GangStatus now = status();
        return new GangStatus(
                world.next(),
                true,
                now.resumed(),
                now.active(),
                now.terminating(),
                now.remaining(),
                now.end(),
                now.state(),
                now.admission(),
                now.fence(),
                now.marks());
    }

    private void member(int rank, Phase phase, PodReport report) {
        PodFacts pod = world.member(gang, "main", rank, "n1", phase);
        int attempt = status().admission() == null ? 1 : status().admission().attempt();
        world.putPod(pod.telling(report.in(attempt)));
    }

    private GangStatus status() {
        return world.statuses.get(gang.uid());
    }

    // ---- what can be seen

    /** Its stage now. */
    String stage() {
        Views.GangView view = world.view(gang);
        GangStatus status = status();
        if (view.state() == GangState.WAITING) {
            return switch (view.waiting().reason()) {
                case BACKING_OFF -> "resting";
                case FAILED_TOO_OFTEN -> "held";
                default -> "waiting";
            };
        }
        return switch (view.state()) {
            case STOPPING -> status.suspended() ? "leaving" : "told";
            case RUNNING -> view.trouble() != null ? "short" : "running";
            case ADMITTED -> "admitted";
            default -> "finished";
        };
    }
}

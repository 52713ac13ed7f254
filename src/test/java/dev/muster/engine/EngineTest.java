package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EngineTest {
    private static World fourNodesOfEight() {
        World world = World.synced().nodeClass("h100").queue("vision", 16).queue("nlp", 16);
        for (int i = 1; i <= 4; i++) {
            world.node("n" + i, "h100", 8);
        }
        return world;
    }

    @Test
    void aGangIsAdmittedWholeOntoNodesThatHoldItAndItsChargeIsVisible() {
        World world = fourNodesOfEight();
        Gang gang = world.submit("train", "vision", 2, 8);

        List<Action> actions = world.settle();

        assertThat(World.admitted(actions)).containsExactly("train");
        assertThat(world.admission(gang).podsets().get(0).nodes())
                .containsExactly(new NodeSlots("n1", 1), new NodeSlots("n2", 1));
        assertThat(world.engine.views().queue("vision").orElseThrow().quotas())
                .containsExactly(new Views.QuotaView("h100", World.GPU, 16, 16, 0));
    }

    @Test
    void eightGangsOfTwoTeamsStartExactlyAsFarAsQuotaAllowsAndTheRestSayWhy() {
        World world = fourNodesOfEight();
        for (int i = 1; i <= 4; i++) {
            world.submit("v" + i, "vision", 2, 4);
            world.submit("l" + i, "nlp", 2, 4);
        }

        List<String> admitted = World.admitted(world.settle());

        assertThat(admitted).containsExactlyInAnyOrder("v1", "v2", "l1", "l2");
        assertThat(world.sentence(world.job("uid-v3")))
                .isEqualTo("Queue vision uses 16 of its 16 h100 GPUs; this gang needs 8 and 0 are left.");
        assertThat(world.view(world.job("uid-v4")).place()).isEqualTo(2);

        world.run(world.job("uid-v1"));
        world.settle();
        world.finish(world.job("uid-v1"));
        assertThat(World.admitted(world.settle())).containsExactly("v3");
    }

    @Test
    void aGangThatLacksWholeNodesHoldsNothingWhileSmallerOnesBehindItStart() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        for (int i = 1; i <= 4; i++) {
            world.node("n" + i, "h100", 8);
        }
        world.submit("half1", "vision", 1, 4);
        world.submit("half2", "vision", 1, 8);
        world.settle();
        Gang big = world.submit("big", "vision", 3, 8);
        Gang small = world.submit("small", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).containsExactly("small");
        assertThat(world.view(big).waiting().reason()).isEqualTo(Reason.NO_NODE_FITS);
        assertThat(world.sentence(big))
                .isEqualTo("It needs 3 x 8 GPUs; 12 GPUs are free on the 4 usable nodes of class h100.");
        assertThat(world.view(small).state()).isEqualTo(GangState.ADMITTED);
    }

    @Test
    void scatteredGpusAreCalledFragmented() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        world.submit("a", "vision", 1, 5);
        world.settle();
        world.submit("b", "vision", 1, 5);
        world.settle();
        Gang gang = world.submit("c", "vision", 1, 6);

        world.settle();

        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.FRAGMENTED);
        assertThat(world.sentence(gang))
                .isEqualTo(
                        "It needs 1 x 6 GPUs; 6 GPUs are free in class h100, but only 0 of its 1 members find 6 on one node.");
    }

    @Test
    void c03_twoQueuesNeverGetTheSameWholeNodeInOneCycle() {
        World world = World.synced().nodeClass("h100").queue("a", 64).queue("b", 64);
        world.node("nx", "h100", 8);
        world.submit("a", "a", 1, 8);
        Gang loser = world.submit("b", "b", 1, 8);

        Plan plan = world.engine.cycle(world.now, 100);

        assertThat(World.admitted(plan.actions())).containsExactly("a");
        assertThat(world.view(loser).state()).isEqualTo(GangState.WAITING);
    }

    @Test
    void c18_nothingIsDecidedBeforeEveryWatchHasSyncedAndAnEmptyFleetIsAValidState() {
        World world = new World().nodeClass("h100").queue("vision", 4);
        Gang gang = world.submit("train", "vision", 1, 4);
        assertThat(world.settle()).isEmpty();

        world.engine.apply(new Event.Synced(World.FENCE));
        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(gang)).isEqualTo("Node class h100 has no nodes now.");

        world.node("n1", "h100", 4).node("n2", "h100", 4);
        assertThat(World.admitted(world.settle())).containsExactly("train");
    }

    @Test
    void c32_sickGpusOnABusyNodeDoNotMakeAFreeNodeLookTooSmall() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("a", "h100", 8).node("b", "h100", 8);
        Gang six = world.submit("a6", "vision", 1, 6);
        world.settle();
        world.run(six);
        world.node("a", "h100", 2);
        world.submit("b8", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).containsExactly("b8");
        assertThat(world.admission(world.job("uid-b8")).podsets().get(0).nodes())
                .containsExactly(new NodeSlots("b", 1));
    }

    @Test
    void higherPriorityGoesFirstThenOlderSubmission() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8);
        world.submit(world.gang("old", "vision", 1, 8, 0));
        world.submit(world.gang("urgent", "vision", 1, 8, 5));

        assertThat(World.admitted(world.settle())).containsExactly("urgent");
    }

    @Test
    void aStaleWriteTakesItsChargeBackAndIsDecidedAnewOnlyWhenTheJobWasSeenAnew() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8);
        Gang gang = world.submit("train", "vision", 1, 8);
        Plan plan = world.engine.cycle(world.now, 100);
        world.engine.apply(new Event.WriteRefused(gang.uid(), Event.Refusal.STALE, "conflict", world.now));

        assertThat(world.engine.cycle(world.now, 100).actions()).isEmpty();
        assertThat(world.used("vision")).isZero();

        world.report(gang.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);
        assertThat(World.admitted(world.settle())).containsExactly("train");
        assertThat(plan.actions()).hasSize(1);
    }

    @Test
    void aRefusedWriteSetsOneGangAsideWithBackoffAndNeverItsQueue() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8);
        Gang gang = world.submit("vetoed", "vision", 1, 8);
        world.engine.cycle(world.now, 100);
        world.engine.apply(new Event.WriteRefused(gang.uid(), Event.Refusal.REFUSED, "policy says no", world.now));
        world.submit("next", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).containsExactly("next");
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.BACKING_OFF);
        assertThat(world.sentence(gang)).isEqualTo("Its start was refused 1 time: policy says no");

        world.finish(world.job("uid-next"));
        world.now += 1_000;
        assertThat(World.admitted(world.settle())).containsExactly("vetoed");
    }

    @Test
    void sightsOlderThanTheOwnWriteAreIgnored() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8);
        Gang gang = world.submit("train", "vision", 1, 8);
        GangStatus before = world.statuses.get(gang.uid());
        world.engine.cycle(world.now, 100);
        world.engine.apply(new Event.WriteDone(gang.uid(), "900"));

        world.engine.apply(new Event.GangSeen(gang, before));

        assertThat(world.engine.cycle(world.now, 100).actions()).isEmpty();
        assertThat(world.used("vision")).isEqualTo(8);
    }

    @Test
    void anAdmissionUnderAnOlderFenceThatShowsUpLaterIsVoidAndItsChargeEndsOnlyWhenItsPodsAreGone() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang first = world.submit("first", "vision", 1, 8);
        world.settle();
        Gang late = world.submit("late", "vision", 1, 8);
        world.settle();
        GangStatus old = world.statuses.get(late.uid());
        world.show(
                late.uid(),
                new GangStatus(
                        world.next(),
                        false,
                        Acknowledged.NO,
                        0,
                        0,
                        Map.of(),
                        End.NOT_YET,
                        GangState.ADMITTED,
                        world.admission(first),
                        "lease-0/9",
                        GangMarks.NONE));

        List<Action> actions = world.settle();
        assertThat(actions).hasSize(1).first().isInstanceOf(Action.Stop.class);
        assertThat(world.view(late).state()).isEqualTo(GangState.STOPPING);
        assertThat(old.admission()).isNull();

        world.report(late.uid(), Acknowledged.YES, 1, 0, End.NOT_YET);
        world.report(late.uid(), Acknowledged.NO, 0, 1, End.NOT_YET);
        assertThat(world.settle()).isEmpty();
        world.report(late.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);
        assertThat(world.settle()).hasSize(1).first().isInstanceOf(Action.Release.class);
        assertThat(world.view(late).state()).isEqualTo(GangState.WAITING);
    }

    @Test
    void aStopWaitsUntilTheControllerHasTakenTheAdmissionUpOrTheBoundHasPassed() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8);
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        GangStatus admitted = world.statuses.get(gang.uid());
        world.show(
                gang.uid(),
                new GangStatus(
                        world.next(),
                        true,
                        Acknowledged.NO,
                        0,
                        0,
                        Map.of(),
                        End.NOT_YET,
                        GangState.STOPPING,
                        admitted.admission(),
                        World.FENCE,
                        GangMarks.NONE));

        assertThat(world.settle()).isEmpty();
        world.now += EngineSettings.DEFAULT.stopAcknowledgement();
        assertThat(world.settle().get(0)).isInstanceOf(Action.Release.class);
    }

    @Test
    void aRunningGangIsMarkedOnceAllMembersAreReadyAndFinishedOnceItsJobHasEnded() {
        World world = fourNodesOfEight();
        Gang gang = world.submit("train", "vision", 2, 4);
        world.settle();
        world.putPod(world.member(gang, "main", 0, "n1", PodFacts.Phase.READY));
        assertThat(world.settle()).isEmpty();

        world.run(gang);
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Mark.class, mark -> assertThat(mark.state()).isEqualTo(GangState.RUNNING));
        world.finish(gang);
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Mark.class, mark -> assertThat(mark.state()).isEqualTo(GangState.FINISHED));
        assertThat(world.used("vision")).isZero();
    }

    @Test
    void aQueueWithAnUnknownParentOrInACycleSaysWhichAndItsJobsWaitForThatReason() {
        World world = World.synced().nodeClass("h100").node("n1", "h100", 8);
        List<Queue.Quota> quota =
                List.of(new Queue.Quota("h100", World.GPU, 8, OptionalLong.empty(), OptionalLong.empty(), 0));
        world.engine.apply(new Event.QueueSeen(World.queueOf("a", "b", quota)));
        Gang gang = world.submit("train", "a", 1, 8);
        world.settle();
        assertThat(world.sentence(gang))
                .isEqualTo(
                        "Queue a cannot be used: queue \"a\" names the parent \"b\", which does not exist. Maybe it was renamed or deleted.");

        world.engine.apply(new Event.QueueSeen(World.queueOf("b", "a", quota)));
        world.settle();
        assertThat(world.sentence(gang))
                .isEqualTo(
                        "Queue a cannot be used: queue \"a\" is its own ancestor: a -> b -> a. Maybe one of them should name another parent, or none.");

        world.engine.apply(new Event.QueueSeen(World.queueOf("b", null, quota)));
        assertThat(World.admitted(world.settle())).containsExactly("train");
    }

    @Test
    void whatTheDeclaredFleetOrTheQuotaCanNeverHoldIsNamedNeverRunnable() {
        World world = fourNodesOfEight();
        Gang wide = world.gang("wide", "vision", 1, 9, 0);
        Gang many = world.gang("many", "vision", 3, 8, 0);

        assertThat(world.engine.views().assess(wide).never().sentence())
                .isEqualTo(
                        "It asks for 1 x 1 cpu + 9 GPUs; node class h100 has 4 nodes of at most 8 GPUs and could not hold it"
                                + " even when empty.");
        assertThat(world.engine.views().assess(many).never().sentence())
                .isEqualTo(
                        "It needs 24 h100 GPUs, but queue vision can use at most 16 for work that is not interruptible.");
    }

    @Test
    void aNodeThatIsNotReadyOrCordonedTakesNothingNewAndKeepsWhatItHas() {
        World world = World.synced().nodeClass("h100").queue("vision", 64).node("n1", "h100", 8);
        NodeFacts well = World.nodeFacts("n2", "h100", 8);
        world.engine.apply(new Event.NodeSeen(
                new NodeFacts("n2", well.labels(), well.taints(), well.allocatable(), false, false)));
        world.submit("one", "vision", 1, 8);
        world.submit("two", "vision", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly("one");

        world.engine.apply(new Event.NodeSeen(well));
        assertThat(World.admitted(world.settle())).containsExactly("two");
    }

    @Test
    void aSecondClassIsUsedWhenTheFirstIsFullAndWishesAreInOrder() {
        World world =
                World.synced().nodeClass("a100").nodeClass("h100").queue("vision", Map.of("a100", 8L, "h100", 8L));
        world.node("a1", "a100", 8).node("h1", "h100", 8);
        Gang any = world.gang("wish", "vision", 1, 8, 0);
        Gang wish = new Gang(
                any.uid(),
                any.namespace(),
                any.name(),
                any.queue(),
                0,
                false,
                any.submittedAt(),
                any.podsets(),
                List.of("h100", "a100"),
                List.of(),
                OptionalLong.empty());
        world.submit(wish);
        world.settle();
        assertThat(world.admission(wish).podsets().get(0).nodeClass()).isEqualTo("h100");

        Gang second = world.submit("second", "vision", 1, 8);
        world.settle();
        assertThat(world.admission(second).podsets().get(0).nodeClass()).isEqualTo("a100");
    }

    @Test
    void aQueueWhoseQuotaWasLoweredBelowItsUseIsSaidToHaveWhatItHas() {
        World world = World.synced().nodeClass("h100").queue("vision", 16);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang running = world.submit("running", "vision", 2, 8);
        world.settle();
        world.run(running);
        world.queue("vision", 8);
        Gang next = world.submit("next", "vision", 1, 4);
        world.settle();

        assertThat(world.sentence(next))
                .isEqualTo("Queue vision uses 16 of its 8 h100 GPUs; this gang needs 4 and 0 are left.");
    }
}

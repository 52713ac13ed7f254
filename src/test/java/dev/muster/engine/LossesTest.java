package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangState;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What becomes of gangs that lose members or nodes, or are drained. */
class LossesTest extends OnThreeNodes {
    // ---- members and nodes that are lost

    @Test
    void aGangThatIsShortOfAMemberIsBelowMinimum_IsWholeAgainInTime_OrStoppedAndExcused() {
        Gang gang = running("train", 2);
        long submitted = gang.submittedAt();
        PodFacts lost = world.member(gang, "main", 1, nodeOf(gang, 1), Phase.ENDED)
                .telling(PodReport.of(Trouble.DISRUPTED, 0, "DeletionByTaintManager", "")
                        .in(1));
        world.now += 60 * MINUTE;
        world.putPod(lost);
        world.settle();
        assertThat(world.view(gang).trouble().reason()).isEqualTo(Reason.BELOW_MINIMUM);
        assertThat(world.view(gang).trouble().sentence())
                .isEqualTo("Below minimum: 1 of 2 members run. Member train-1 on n2: DeletionByTaintManager.");

        world.putPod(world.member(gang, "main", 11, nodeOf(gang, 1), Phase.RUNNING));
        world.now += LIFE.repair() - 1;
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).trouble()).isNull();

        world.putPod(world.member(gang, "main", 11, nodeOf(gang, 1), Phase.ENDED)
                .telling(PodReport.of(Trouble.DISRUPTED, 0, "EvictionByEvictionAPI", "")
                        .in(1)));
        world.settle();
        world.now += LIFE.repair();
        Action.Stop stop = stop(world.settle());
        assertThat(stop.reason()).isEqualTo(Reason.MEMBER_LOST);
        leave(gang);
        world.settle();

        assertThat(past(gang).last().get(0).fault()).isEqualTo(Fault.CLUSTER);
        assertThat(past(gang).excused()).isEqualTo(past(gang).ran());
        assertThat(World.admitted(world.settle()))
                .as("it has started again already")
                .isEmpty();
        assertThat(world.admission(gang).attempt()).isEqualTo(2);
        assertThat(gang.submittedAt()).isEqualTo(submitted);
    }

    @Test
    void aMemberThatHasEndedWellIsNotMissed_ThoughItsJobDoesNotSayWhatItStillCreates() {
        Gang gang = running("train", 2);
        world.putPod(world.member(gang, "main", 1, nodeOf(gang, 1), Phase.ENDED));
        world.settle();
        assertThat(world.view(gang).trouble()).isNull();
        world.now += 10 * LIFE.repair();

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).state()).isEqualTo(GangState.RUNNING);
    }

    @Test
    void aMemberWhoseDevicesCannotBeReadAnyMoreKeepsThemBooked() {
        Gang gang = running("train", 1);
        PodFacts runs = world.member(gang, "main", 0, nodeOf(gang, 0), Phase.READY);
        world.putPod(runs.asking(Amounts.of(Amounts.PODS, 1)));
        world.settle();

        assertThat(node(nodeOf(gang, 0)).freeGpus()).isZero();
        assertThat(node("n2").freeGpus()).isEqualTo(8);
    }

    @Test
    void aGangWhoseOtherMembersGoDownIsStopped_WhenNoneWasReadyAgainForLong() {
        Gang gang = running("train", 3);
        world.putPod(world.member(gang, "main", 0, nodeOf(gang, 0), Phase.ENDED));
        world.putPod(world.member(gang, "main", 1, nodeOf(gang, 1), Phase.ENDED)
                .telling(PodReport.of(Trouble.DISRUPTED, 0, "EvictionByEvictionAPI", "")
                        .in(1)));
        world.settle();
        assertThat(world.view(gang).trouble().sentence()).startsWith("Below minimum: 1 of 2 members run.");
        world.now += LIFE.repair();

        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.MEMBER_LOST);
    }

    @Test
    void aGangThatLostItsPlaceByTheClustersFaultGoesBeforeThoseThatCameAfterIt() {
        world = fleet(
                EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY).with(new EngineSettings.Reserving(0, 0, 0)));
        Gang first = running("first", 3);
        world.now += 600 * MINUTE;
        Gang second = world.submit("second", "vision", 3, 8);
        world.settle();
        world.now += 60 * MINUTE;
        lose("n1");
        leave(first);
        world.settle();
        world.node("n1", "h100", 8);

        assertThat(World.admitted(world.settle())).containsExactly("first");
        assertThat(world.view(second).state()).isEqualTo(GangState.WAITING);
    }

    @Test
    void completedMembersAreNotMissed() {
        Gang gang = running("train", 2);
        world.show(
                gang.uid(),
                world.statuses
                        .get(gang.uid())
                        .marked(world.next(), world.statuses.get(gang.uid()).marks())
                        .remaining(Map.of("main", 1)));
        world.putPod(world.member(gang, "main", 1, nodeOf(gang, 1), Phase.ENDED));
        world.settle();
        world.now += LIFE.repair();

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).trouble()).isNull();
    }

    @Test
    void aNodeThatBlinksChangesNothing_AndOneThatStaysAwayIsLost() {
        Gang gang = running("train", 2);
        NodeFacts well = World.nodeFacts("n1", "h100", 8);
        world.engine.apply(
                new Event.NodeSeen(new NodeFacts("n1", well.labels(), List.of(), well.allocatable(), false, false)));
        world.settle();
        Gang next = world.submit("next", "vision", 1, 8);
        long since = world.now;
        assertThat(World.admitted(world.settle())).containsExactly("next");
        assertThat(nodeOf(next, 0)).isEqualTo("n3");
        world.run(next);
        world.settle();
        world.submit("third", "vision", 1, 8);
        world.now = since - 1 + LIFE.blink() - 1;
        assertThat(world.settle()).isEmpty();
        world.engine.apply(new Event.NodeSeen(well));
        world.settle();
        world.now += 2 * LIFE.blink();
        assertThat(world.settle()).isEmpty();

        world.engine.apply(new Event.NodeDeleted("n1"));
        world.settle();
        world.now += LIFE.blink();
        Action.Stop stop = stop(world.settle());
        assertThat(stop.target().uid()).isEqualTo(gang.uid());
        assertThat(stop.reason()).isEqualTo(Reason.NODE_LOST);
        assertThat(stop.sentence()).isEqualTo("Its node n1 is gone for more than 2m.");
    }

    @Test
    void membersThatWereLostWithTheirNodeGetAnotherPlace_WhileTheRestRunsOn() {
        Gang gang = running("train", 2);
        String lost = nodeOf(gang, 0);
        NodeFacts well = World.nodeFacts(lost, "h100", 8);
        world.engine.apply(
                new Event.NodeSeen(new NodeFacts(lost, well.labels(), List.of(), well.allocatable(), true, true)));
        assertThat(world.settle()).as("a cordon alone changes nothing").isEmpty();

        // a drain by somebody else evicts the member, and its pod stops
        world.putPod(world.member(gang, "main", 0, lost, Phase.STOPPING));
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Repair.class,
                        repair -> assertThat(repair.sentence())
                                .isEqualTo(
                                        "Members that were lost on " + lost + " get other places; the rest runs on."));
        assertThat(world.admission(gang).podsets().get(0).nodes())
                .extracting(NodeSlots::node)
                .containsExactly("n3", "n2");
        assertThat(world.view(gang).state()).isEqualTo(GangState.RUNNING);
        world.submit("other", "vision", 1, 8);
        assertThat(World.admitted(world.settle()))
                .as("the new place is booked at once")
                .isEmpty();

        world.putPod(world.member(gang, "main", 0, lost, Phase.ENDED));
        world.putPod(world.member(gang, "main", 9, "n3", Phase.READY));
        world.settle();
        world.now += LIFE.repair();
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).trouble()).isNull();
    }

    @Test
    void twoGangsThatLoseMembersAtOnceDoNotGetTheSameNewPlace() {
        Gang first = running("first", 1);
        Gang second = running("second", 1);
        for (Gang gang : List.of(first, second)) {
            String node = nodeOf(gang, 0);
            NodeFacts well = World.nodeFacts(node, "h100", 8);
            world.engine.apply(
                    new Event.NodeSeen(new NodeFacts(node, well.labels(), List.of(), well.allocatable(), true, true)));
            world.putPod(world.member(gang, "main", 0, node, Phase.STOPPING));
        }
        assertThat(world.settle()).filteredOn(Action.Repair.class::isInstance).hasSize(1);
    }

    // ---- drains

    @Test
    void aDrainedNodeStopsItsGangsWithNotice_InterruptibleOnesFirst() {
        Gang firm = running("firm", 1);
        Gang spot = world.submit(world.spot("spot", "vision", 1, 8, 0));
        world.settle();
        world.run(spot);
        world.settle();
        for (String node : List.of(nodeOf(firm, 0), nodeOf(spot, 0))) {
            NodeFacts well = World.nodeFacts(node, "h100", 8);
            world.engine.apply(new Event.NodeSeen(new NodeFacts(
                    node,
                    well.labels(),
                    List.of(new Taint("muster.dev/drain", "", Taint.Effect.NO_SCHEDULE)),
                    well.allocatable(),
                    true,
                    false)));
        }
        Gang anywhere = world.submit(tolerating("anywhere"));
        assertThat(world.settle()).singleElement().isInstanceOfSatisfying(Action.Notice.class, notice -> {
            assertThat(notice.target().uid()).isEqualTo(spot.uid());
            assertThat(notice.reason()).isEqualTo(Reason.DRAINED);
            assertThat(notice.stopAt()).isEqualTo(world.now + MINUTE);
        });

        world.now += MINUTE;
        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.DRAINED);
        leave(spot);
        assertThat(World.admitted(world.settle()))
                .as("two nodes are free, but one of them is drained, though it would be tolerated")
                .doesNotContain(anywhere.name());
        world.now += MINUTE / 2;
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Notice.class,
                        notice -> assertThat(notice.target().uid()).isEqualTo(firm.uid()));
    }

    /** One whose members tolerate every taint. */
    private Gang tolerating(String name) {
        Gang plain = world.gang(name, "vision", 2, 8, 0);
        PodSet podset = plain.podsets().get(0);
        PodShape shape = new PodShape(podset.shape().requests(), List.of(), List.of(new Toleration(null, null, null)));
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "vision",
                0,
                false,
                plain.submittedAt(),
                List.of(new PodSet("main", 2, 2, shape, true, null)),
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    // ---- the contract of a stop

    @Test
    void podsOfAJobThatAsksForItAreToldOfTheStopOnce_AndAFresherCheckpointOnAPodEndsTheGrace() {
        Gang gang = running("train", 1);
        GangMarks marks =
                world.statuses.get(gang.uid()).marks().wishing(new GangMarks.Wishes(true, OptionalInt.empty()));
        world.show(gang.uid(), world.statuses.get(gang.uid()).marked(world.next(), marks));
        world.settle();
        NodeFacts well = World.nodeFacts("n1", "h100", 8);
        world.engine.apply(new Event.NodeSeen(new NodeFacts(
                "n1",
                well.labels(),
                List.of(new Taint("muster.dev/drain", "", Taint.Effect.NO_SCHEDULE)),
                well.allocatable(),
                true,
                false)));
        world.settle();
        world.now += 2 * MINUTE;
        List<Action> told = world.settle();
        long stopAt = world.statuses.get(gang.uid()).marks().stopAt().orElseThrow();
        assertThat(told)
                .element(1)
                .isEqualTo(new Action.TellPod(
                        new Action.Target("uid-train-main-0", "team", "train-0", ""), gang.uid(), stopAt));
        assertThat(told).hasSize(2);

        world.now += 10 * SECOND;
        member(gang, 0, Phase.READY, PodReport.NONE.noted(OptionalLong.of(world.now - 1), OptionalLong.of(stopAt)));
        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.DRAINED);
        assertThat(world.now).isLessThan(stopAt);
    }
}

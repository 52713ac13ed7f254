package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangState;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What becomes of gangs whose start fails, whose members or nodes are lost, and which have failed before. */
class MishapsTest {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final EngineSettings.Life LIFE = EngineSettings.Life.DEFAULT;
    private static final PodReport PULL =
            PodReport.of(Trouble.IMAGE, 0, "ImagePullBackOff", "Back-off pulling image \"trainer:typo\"");
    private static final PodReport REFUSED =
            PodReport.of(Trouble.REFUSED, 0, "UnexpectedAdmissionError", "no healthy devices present");

    private World world = fleet(EngineSettings.DEFAULT.with(EngineSettings.Telling.NOBODY));

    private static World fleet(EngineSettings settings) {
        World world = new World(settings)
                .nodeClass("h100")
                .queue("vision", 32)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8)
                .node("n3", "h100", 8);
        world.engine.apply(new Event.Synced(World.FENCE));
        return world;
    }

    private Gang admitted(String name, int members) {
        Gang gang = world.submit(name, "vision", members, 8);
        assertThat(World.admitted(world.settle())).contains(name);
        return gang;
    }

    private Gang running(String name, int members) {
        Gang gang = admitted(name, members);
        world.run(gang);
        world.settle();
        assertThat(world.view(gang).state()).isEqualTo(GangState.RUNNING);
        return gang;
    }

    private String nodeOf(Gang gang, int rank) {
        return world.admission(gang).podsets().get(0).nodeOfRank(rank);
    }

    private PodFacts member(Gang gang, int rank, Phase phase, PodReport report) {
        int attempt = world.admission(gang).attempt();
        PodFacts pod =
                world.member(gang, "main", rank, nodeOf(gang, rank), phase).telling(report.in(attempt));
        world.putPod(pod);
        return pod;
    }

    private Action.Stop stop(List<Action> actions) {
        List<Action.Stop> stops = actions.stream()
                .filter(Action.Stop.class::isInstance)
                .map(Action.Stop.class::cast)
                .toList();
        assertThat(stops).as("stops among " + actions).hasSize(1);
        return stops.get(0);
    }

    /** The job's controller never said that it had taken the admission up, so the charge ends only after a while. */
    private void leave(Gang gang) {
        world.leave(gang);
        world.settle();
        world.now += EngineSettings.DEFAULT.stopAcknowledgement();
    }

    private PastRuns past(Gang gang) {
        return world.statuses.get(gang.uid()).marks().past();
    }

    /** One start that fails because of its image. */
    private void failByImage(Gang gang) {
        member(gang, 0, Phase.PENDING, PULL);
        world.now += LIFE.trouble();
        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.START_FAILED);
        leave(gang);
        world.settle();
    }

    // ---- starts

    @Test
    void anImageThatCannotBeHadIsTheJobsOwnFault_WithEvidenceInTheStopItself() {
        Gang gang = admitted("train", 2);
        member(gang, 0, Phase.READY, PodReport.NONE);
        member(gang, 1, Phase.PENDING, PULL);
        long deadline = world.admission(gang).admittedAt() + LIFE.trouble();
        world.now = deadline - 1;
        assertThat(world.settle()).isEmpty();
        assertThat(world.engine.cycle(world.now, 100).wakeAt()).isEqualTo(deadline);

        world.now = deadline;
        Action.Stop stop = stop(world.settle());

        assertThat(stop.sentence())
                .isEqualTo(
                        "Its start failed: 1 of 2 members were ready after 2m. Member train-1 on n2: ImagePullBackOff: Back-off pulling image \"trainer:typo\".");
        assertThat(stop.past().last())
                .containsExactly(new Attempt(
                        1,
                        world.admission(gang).admittedAt(),
                        0,
                        "StartFailed",
                        Fault.JOB,
                        false,
                        List.of(new Attempt.Loss(
                                "train-1", "n2", 0, "ImagePullBackOff", "Back-off pulling image \"trainer:typo\""))));
    }

    @Test
    void aGangThatFailedByItsOwnFaultRests_TwiceAsLongEachTime_AndIsHeldAfterFive() {
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        long rest = LIFE.firstRest();
        for (int failure = 1; failure < LIFE.failures(); failure++) {
            failByImage(gang);
            assertThat(past(gang).failures()).isEqualTo(failure);
            assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.BACKING_OFF);
            world.now += rest - 1;
            assertThat(world.settle()).as("failure " + failure).isEmpty();
            world.now += 1;
            assertThat(World.admitted(world.settle())).containsExactly("train");
            rest *= 2;
        }
        failByImage(gang);
        world.now += 24 * 60 * MINUTE;

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.FAILED_TOO_OFTEN);
        assertThat(world.sentence(gang))
                .isEqualTo("It has failed 5 times in a row by its own fault. Attempt 5, member train-0 on n1:"
                        + " ImagePullBackOff: Back-off pulling image \"trainer:typo\".");
        assertThat(world.view(gang).waiting().help()).contains("muster.dev/max-failures above 5");
    }

    @Test
    void whoRaisesTheNumberOfFailuresLetsItGoOn_AndARestartForgetsNothing() {
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        failByImage(gang);
        World next = world.restarted();
        assertThat(next.settle()).as("it still rests").isEmpty();
        assertThat(next.view(gang).waiting().reason()).isEqualTo(Reason.BACKING_OFF);

        GangMarks one = world.statuses.get(gang.uid()).marks().wishing(new GangMarks.Wishes(false, OptionalInt.of(1)));
        world.show(gang.uid(), world.statuses.get(gang.uid()).marked(world.next(), one));
        world.now += LIFE.longestRest();
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.FAILED_TOO_OFTEN);

        world.show(gang.uid(), world.statuses.get(gang.uid()).marked(world.next(), one.wishing(GangMarks.Wishes.NONE)));
        assertThat(World.admitted(world.settle())).containsExactly("train");
    }

    @Test
    void aStartThatSucceedsForgivesTheFailuresBefore() {
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        failByImage(gang);
        world.now += LIFE.firstRest();
        world.settle();
        world.run(gang);
        world.settle();
        world.now += MINUTE;
        lose("n1");
        leave(gang);
        world.settle();

        assertThat(past(gang).failures()).isZero();
        assertThat(past(gang).last()).extracting(Attempt::why).containsExactly("StartFailed", "NodeLost");
    }

    private void lose(String node) {
        NodeFacts well = World.nodeFacts(node, "h100", 8);
        world.engine.apply(
                new Event.NodeSeen(new NodeFacts(node, well.labels(), List.of(), well.allocatable(), false, false)));
        world.settle();
        world.now += LIFE.blink();
        world.settle();
    }

    @Test
    void aPlaceThatTheSchedulerFindsTakenIsTheClustersFault_AndTheGangIsPlannedAnewAtOnce() {
        Gang gang = admitted("train", 1);
        String planned = nodeOf(gang, 0);
        PodFacts waits = world.member(gang, "main", 0, null, Phase.PENDING);
        world.putPod(new PodFacts(
                waits.uid(),
                waits.namespace(),
                waits.name(),
                null,
                waits.requests(),
                Phase.PENDING,
                false,
                true,
                waits.membership(),
                waits.grace(),
                PodReport.of(Trouble.UNSCHEDULABLE, 0, "Unschedulable", "0/3 nodes are available")
                        .in(1)));
        // a foreign pod has come to the planned node
        world.putPod(new PodFacts(
                "foreign", "other", "x", planned, waits.requests(), Phase.READY, false, true, null, World.POD_GRACE));
        world.now += LIFE.trouble();

        Action.Stop stop = stop(world.settle());
        assertThat(stop.reason()).isEqualTo(Reason.PLACE_LOST);
        assertThat(stop.past().last().get(0).fault()).isEqualTo(Fault.CLUSTER);
        leave(gang);

        assertThat(World.admitted(world.settle())).containsExactly("train");
        assertThat(nodeOf(gang, 0)).isNotEqualTo(planned);
        assertThat(past(gang).failures()).isZero();
        assertThat(past(gang).excused()).isEqualTo(past(gang).ran()).isPositive();
    }

    @Test
    void membersOnTheirNodesMayTakeLongToBeReady_ButNotForEver_AndThenItIsTheJobsFault() {
        Gang gang = admitted("train", 1);
        member(gang, 0, Phase.RUNNING, PodReport.NONE);
        world.now += LIFE.longestStart() - 2;
        assertThat(world.settle()).isEmpty();
        world.now += 2;

        Action.Stop stop = stop(world.settle());
        assertThat(stop.reason()).isEqualTo(Reason.START_FAILED);
        assertThat(stop.past().last().get(0).fault()).isEqualTo(Fault.JOB);
    }

    @Test
    void aGangWhoseMembersAreNeverMadeIsStopped_AndWaitsLongerWithEachTime_ButIsNeverHeld() {
        Gang gang = world.submit("train", "vision", 2, 8);
        world.settle();
        for (int start = 1; start <= 8; start++) {
            world.now += LIFE.start();
            assertThat(stop(world.settle()).past().last())
                    .last()
                    .satisfies(attempt -> assertThat(attempt.fault()).isEqualTo(Fault.CLUSTER));
            leave(gang);
            long rest = start == 1 ? 0 : Math.min(LIFE.firstRest() << (start - 2), LIFE.longestRest());
            if (rest > 0) {
                assertThat(world.settle())
                        .allSatisfy(action -> assertThat(action).isInstanceOf(Action.Release.class));
                world.now += rest;
            }
            assertThat(World.admitted(world.settle())).as("start " + start).containsExactly("train");
        }
        assertThat(past(gang).failures()).isZero();
        assertThat(past(gang).mishaps()).isEqualTo(8);
    }

    @Test
    void podsOfAnEarlierAttemptAreNoTroubleOfThisOne() {
        Gang gang = admitted("train", 1);
        world.putPod(world.member(gang, "main", 7, "n1", Phase.ENDED)
                .telling(PodReport.of(Trouble.FAILED, 1, "Error", "old").in(99)));
        world.run(gang);

        assertThat(world.settle()).singleElement().isInstanceOf(Action.Mark.class);
    }

    // ---- struck nodes

    @Test
    void aNodeThatRefusesThreeInARowIsStruck_TheGangStartsElsewhere_AndTheNodeIsTriedAgainLater() {
        Gang gang = admitted("train", 1);
        String bad = nodeOf(gang, 0);
        for (int i = 0; i < 3; i++) {
            world.putPod(world.member(gang, "main", i, bad, Phase.ENDED).telling(REFUSED.in(1)));
        }
        Action.Stop stop = stop(world.settle());
        assertThat(stop.reason()).isEqualTo(Reason.PLACE_LOST);
        assertThat(stop.past().last().get(0).losses())
                .hasSize(3)
                .allSatisfy(loss -> assertThat(loss.reason()).isEqualTo("UnexpectedAdmissionError"));
        leave(gang);

        assertThat(World.admitted(world.settle())).containsExactly("train");
        assertThat(nodeOf(gang, 0)).isNotEqualTo(bad);
        assertThat(past(gang).failures()).isZero();
        Views.NodeView view = node(bad);
        assertThat(view.struck()).isTrue();
        assertThat(view.ready()).isFalse();
        assertThat(view.oddity()).startsWith("struck: it refused members, and takes none until ");
        world.run(gang);
        world.settle();

        world.submit("wide", "vision", 2, 8);
        assertThat(World.admitted(world.settle())).isEmpty();
        world.now += LIFE.struck();
        assertThat(World.admitted(world.settle())).containsExactly("wide");
        assertThat(node(bad).struck()).isFalse();
    }

    private Views.NodeView node(String name) {
        return world.engine.views().nodeClasses().get(0).fleet().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void refusalsThatAReadyMemberComesBetweenAreNotInARow() {
        Gang gang = admitted("train", 1);
        String node = nodeOf(gang, 0);
        for (int i = 0; i < 2; i++) {
            world.putPod(world.member(gang, "main", i, node, Phase.ENDED).telling(REFUSED.in(1)));
            world.settle();
        }
        world.putPod(world.member(gang, "main", 5, node, Phase.READY));
        world.settle();
        world.putPod(world.member(gang, "main", 6, node, Phase.ENDED).telling(REFUSED.in(1)));
        world.settle();

        assertThat(node(node).struck()).isFalse();
    }

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

        world.putPod(world.member(gang, "main", 11, nodeOf(gang, 1), Phase.ENDED));
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
        assertThat(world.settle()).singleElement().isInstanceOfSatisfying(Action.Notice.class, notice -> {
            assertThat(notice.target().uid()).isEqualTo(spot.uid());
            assertThat(notice.reason()).isEqualTo(Reason.DRAINED);
            assertThat(notice.stopAt()).isEqualTo(world.now + MINUTE);
        });

        world.now += MINUTE;
        assertThat(stop(world.settle()).reason()).isEqualTo(Reason.DRAINED);
        world.now += MINUTE;
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Notice.class,
                        notice -> assertThat(notice.target().uid()).isEqualTo(firm.uid()));
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

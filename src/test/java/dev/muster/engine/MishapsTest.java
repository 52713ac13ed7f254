package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Attempt;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What becomes of gangs whose start fails, and of nodes that refuse members. */
class MishapsTest extends OnThreeNodes {
    // ---- starts

    @Test
    void anImageThatCannotBeHadIsTheJobsOwnFault_WithEvidenceInTheStopItself() {
        Gang gang = admitted("train", 2);
        member(gang, 0, Phase.READY, PodReport.NONE);
        member(gang, 1, Phase.PENDING, PULL);
        world.settle();
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
    void aTroubleThatPassesLeavesASlowStartItsTime() {
        Gang gang = admitted("train", 2);
        member(gang, 0, Phase.RUNNING, PodReport.NONE);
        member(gang, 1, Phase.PENDING, PodReport.NONE);
        world.settle();
        world.now += 20 * MINUTE;
        member(gang, 1, Phase.PENDING, PULL);
        assertThat(world.settle()).as("one refused pull in a slow start").isEmpty();

        world.now += LIFE.trouble() - 1;
        member(gang, 1, Phase.PENDING, PodReport.NONE);
        assertThat(world.settle()).as("it pulls again").isEmpty();
        world.now += MINUTE;
        member(gang, 0, Phase.READY, PodReport.NONE);
        member(gang, 1, Phase.READY, PodReport.NONE);
        assertThat(world.settle()).extracting(Action::kind).containsExactly("mark");
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
        world.settle();
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
}

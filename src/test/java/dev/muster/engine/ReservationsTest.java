package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two nodes of 8 GPUs; queues have a grace of one minute, so that a bound of n minutes ends after n + 1. */
class ReservationsTest {
    private static final long MINUTE = 60_000;

    private final World world =
            World.synced().nodeClass("h100").node("n1", "h100", 8).node("n2", "h100", 8);

    /** The promise of the first rank. */
    private Views.Promise promise() {
        return world.engine.views().promises().get(0);
    }

    private Gang start(String name, int members, long gpus, long minutes) {
        Gang gang = world.submit(world.bounded(name, "all", members, gpus, minutes * MINUTE));
        world.settle();
        world.run(gang);
        return gang;
    }

    @Test
    void theFirstBlockedGangIsPromisedATimeAndOnlyWhatEndsBeforeMayPassIt() {
        // given one node taken for an hour, and a gang that needs both
        world.queue("all", 16);
        Gang running = start("running", 1, 8, 60);
        Gang large = world.submit(world.bounded("large", "all", 2, 8, 60 * MINUTE));
        world.settle();
        assertThat(promise().gangUid()).isEqualTo(large.uid());
        assertThat(promise().at()).isEqualTo(world.admission(running).admittedAt() + 61 * MINUTE);
        assertThat(promise().place()).containsExactly("n1", "n2");
        assertThat(world.view(large).promise()).isEqualTo(promise());

        // when a short and a long gang come that fit on the other node
        Gang lasting = world.submit(world.bounded("lasting", "all", 1, 4, 90 * MINUTE));
        Gang brief = world.submit(world.bounded("brief", "all", 1, 4, 30 * MINUTE));

        // then the short one starts, and the long one is told for whom it waits, and until when
        assertThat(World.admitted(world.settle())).containsExactly("brief");
        assertThat(world.view(lasting).waiting().reason()).isEqualTo(Reason.RESERVED_FOR_OTHERS);
        assertThat(world.sentence(lasting))
                .isEqualTo(
                        "Node class h100 has room for it now, but it would delay team/large, which is promised a start by "
                                + java.time.Instant.ofEpochMilli(promise().at()) + ".");

        // when the nodes come free early, then the large one starts early, and the long one after it
        world.finish(running);
        world.finish(brief);
        assertThat(World.admitted(world.settle())).containsExactly("large");
        world.run(large);
        world.finish(large);
        assertThat(World.admitted(world.settle())).containsExactly("lasting");
        assertThat(world.engine.views().promises()).isEmpty();
    }

    @Test
    void anEarlyEndMovesTheTimeForwardAndALateOneBack() {
        world.queue("all", 16);
        Gang one = start("one", 1, 8, 60);
        Gang other = start("other", 1, 8, 30);
        world.submit(world.bounded("large", "all", 2, 8, 60 * MINUTE));
        world.settle();
        long end = world.admission(other).admittedAt() + 31 * MINUTE;
        assertThat(promise().at()).isEqualTo(world.admission(one).admittedAt() + 61 * MINUTE);

        // when the longer one ends
        world.finish(one);
        world.settle();
        assertThat(promise().at()).isEqualTo(end);
        assertThat(promise().cause()).isEqualTo(Cause.PLANNED);

        // when the other is still there at its end, it is told to go, and given its grace and a minute
        world.now = end + 1;
        world.settle();
        assertThat(promise().at()).isEqualTo(world.now + 2 * MINUTE);
        assertThat(promise().slips()).isEqualTo(1);
    }

    @Test
    void whoRunsLongerThanOthersHaveShownMovesAPromiseBackWithItsCause() {
        // given gangs of half an hour, of which none declares a bound
        world.queue("all", 16);
        for (int i = 0; i < 5; i++) {
            Gang shown = world.submit("shown" + i, "all", 1, 8);
            world.settle();
            world.run(shown);
            world.settle();
            world.now += 30 * MINUTE;
            world.finish(shown);
            world.settle();
        }
        Gang slow = world.submit("slow", "all", 1, 8);
        world.settle();
        world.run(slow);
        world.submit(world.bounded("large", "all", 2, 8, 60 * MINUTE));
        world.settle();
        long promised = promise().at();
        assertThat(promised)
                .isBetween(
                        world.admission(slow).admittedAt() + 30 * MINUTE,
                        world.admission(slow).admittedAt() + 60 * MINUTE);

        // when one takes longer
        world.now = promised + 1;
        world.settle();

        assertThat(promise().at()).isGreaterThan(world.now);
        assertThat(promise().cause()).isEqualTo(Cause.OVERRUN);
        assertThat(promise().slips()).isEqualTo(1);
    }

    @Test
    void aRankIsKeptThoughShorterGangsComeAndOnlyFourAreHeld() {
        world.queue("all", 16);
        start("one", 1, 8, 600);
        start("other", 1, 8, 600);
        for (int i = 0; i < 6; i++) {
            world.submit(world.bounded("large" + i, "all", 2, 8, 60 * MINUTE));
            world.settle();
        }
        world.submit(world.bounded("brief", "all", 1, 8, MINUTE));
        world.settle();

        assertThat(world.engine.views().promises())
                .extracting(Views.Promise::gangUid)
                .containsExactly("uid-large0", "uid-large1", "uid-large2", "uid-large3");
        assertThat(world.engine.views().queue("all").orElseThrow().waiting()).isEqualTo(7);
    }

    @Test
    void withoutATimeNobodyIsHeldUpUntilTheGangIsOldAndThenNodesAreCollectedForIt() {
        // given a gang of unknown run time on one node, and one that needs both
        world.queue("all", 16);
        Gang running = world.submit("running", "all", 1, 8);
        world.settle();
        world.run(running);
        Gang large = world.submit("large", "all", 2, 8);
        world.settle();
        assertThat(promise().at()).isEqualTo(Reservation.NEVER);
        Gang early = world.submit("early", "all", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly("early");
        world.run(early);

        // when it has waited for twelve hours and half of the class may not hold it, then nothing is closed
        world.now += 13 * 60 * MINUTE;
        world.node("n3", "h100", 8);
        world.queue("all", 32);
        world.settle();
        assertThat(promise().collecting()).isFalse();

        // when a second node is free, then it starts
        world.node("n4", "h100", 8);
        assertThat(World.admitted(world.settle())).containsExactly("large");
    }

    @Test
    void closedNodesTakeNobodyElse() {
        // given three of four nodes taken for unknown times and an old gang that needs two
        world.queue("all", 32).node("n3", "h100", 8).node("n4", "h100", 8);
        for (int i = 0; i < 4; i++) {
            Gang gang = world.submit("r" + i, "all", 1, i == 3 ? 4 : 8);
            world.settle();
            world.run(gang);
        }
        Gang large = world.submit("large", "all", 2, 8);
        world.settle();
        world.now += 12 * 60 * MINUTE;
        world.settle();
        assertThat(promise().collecting()).isTrue();
        assertThat(promise().place()).hasSize(2);

        // when a small gang comes that would fit on what is free of them, then it waits
        Gang small = world.submit("small", "all", 1, 4);
        assertThat(World.admitted(world.settle())).isEmpty();
        assertThat(world.sentence(small))
                .isEqualTo(
                        "Node class h100 has room for it now, but it would delay team/large, for which nodes are being collected.");

        // when the nodes have come free, then the large one starts
        for (Gang gang : java.util.List.copyOf(world.jobs.values())) {
            if (gang.name().startsWith("r")) {
                world.finish(gang);
            }
        }
        assertThat(World.admitted(world.settle())).startsWith("large");
        assertThat(world.view(large).state()).isEqualTo(dev.muster.core.model.GangState.ADMITTED);
    }

    /** A root over the owner of both nodes and a queue that owns nothing; one node is taken for an hour. */
    private Gang ownerTakesOneNodeAndWaitsForBoth() {
        world.child("org", null, 0).child("own", "org", 16).child("free", "org", 0);
        Gang running = world.submit(world.bounded("running", "own", 1, 8, 60 * MINUTE));
        world.settle();
        world.run(running);
        world.submit(world.bounded("large", "own", 2, 8, 60 * MINUTE));
        world.settle();
        return running;
    }

    private Gang passing(long minutes) {
        Gang spot = world.spot("passing", "free", 1, 8, 0);
        return world.submit(new Gang(
                spot.uid(),
                spot.namespace(),
                spot.name(),
                spot.queue(),
                0,
                true,
                spot.submittedAt(),
                spot.podsets(),
                spot.nodeClasses(),
                spot.requirements(),
                java.util.OptionalLong.of(minutes * MINUTE)));
    }

    @Test
    void interruptibleWorkThatNobodyOwesAPlacePassesAReservationAndGivesWayInTime() {
        // given a promise in an hour, and one interruptible gang that would take ten
        Gang running = ownerTakesOneNodeAndWaitsForBoth();
        long promised = promise().at();
        Gang passing = passing(600);

        // then it starts, marked with whom it gives way to, and the promise stands
        assertThat(World.admitted(world.settle())).containsExactly("passing");
        assertThat(world.admission(passing).yieldsTo()).containsExactly("uid-large");
        world.run(passing);
        world.settle();
        assertThat(promise().at()).isEqualTo(promised);

        // when its grace and a minute are left before the promise, then it is told; so the promise is kept
        world.now = promised - 2 * MINUTE - 1;
        assertThat(world.settle()).isEmpty();
        world.now += 1;
        assertThat(world.settle())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.Notice.class,
                        told -> assertThat(told.target().uid()).isEqualTo(passing.uid()));
        world.now += MINUTE;
        world.settle();
        world.leave(passing);
        world.finish(running);
        assertThat(World.admitted(world.settle())).containsExactly("large");
        assertThat(world.now).isLessThanOrEqualTo(promised);
    }

    @Test
    void aMarkedGangLeavesAtOnceWhenTheReservedPlaceIsFreeButForIt() {
        Gang running = ownerTakesOneNodeAndWaitsForBoth();
        Gang passing = passing(600);
        world.settle();
        world.run(passing);
        world.now += 20 * MINUTE;
        assertThat(world.settle()).hasOnlyElementsOfTypes(Action.Mark.class);

        world.finish(running);

        assertThat(world.settle())
                .filteredOn(Action.Notice.class::isInstance)
                .extracting(action -> action.target().uid())
                .containsExactly(passing.uid());
    }

    @Test
    void nobodyIsLetPastAReservationThatWouldCostItItsProtection() {
        ownerTakesOneNodeAndWaitsForBoth();
        world.now = promise().at() - 11 * MINUTE;
        Gang passing = passing(600);

        assertThat(World.admitted(world.settle())).isEmpty();
        assertThat(world.view(passing).waiting().reason()).isEqualTo(Reason.RESERVED_FOR_OTHERS);
    }

    @Test
    void whoStopsAnotherForItsPlaceDelaysNoReservationEither() {
        // given a promise in an hour, for both nodes, and a marked gang on a part of what it passed
        ownerTakesOneNodeAndWaitsForBoth();
        long promised = promise().at();
        Gang passing = passing(600);
        world.settle();
        world.run(passing);
        world.settle();
        world.now += 11 * MINUTE;

        // when a gang of the owner comes that may stop the marked one, and would stay beyond the promise
        Gang lasting = world.submit(world.bounded("lasting", "own", 1, 8, 90 * MINUTE));

        // then it does not
        assertThat(world.settle()).isEmpty();
        assertThat(promise().at()).isEqualTo(promised);
        assertThat(promise().slips()).isZero();

        // and one that ends before it does
        Gang brief = world.submit(world.bounded("brief", "own", 1, 8, 10 * MINUTE));
        assertThat(world.settle())
                .filteredOn(Action.MakeClaim.class::isInstance)
                .extracting(action -> action.target().uid())
                .containsExactly(brief.uid());
        assertThat(world.view(lasting).place()).isPositive();
        assertThat(promise().at()).isEqualTo(promised);
    }

    @Test
    void aMarkedGangStaysWhileTheHolderWhosePlaceItSitsOnMayNotStartYet() {
        // given the first of two nodes free, both promised to one gang in an hour, and the first to another one after
        // it
        world.child("org", null, 0).child("own", "org", 16).child("free", "org", 0);
        Gang gone = world.submit(world.bounded("gone", "own", 1, 8, 60 * MINUTE));
        Gang running = world.submit(world.bounded("running", "own", 1, 8, 60 * MINUTE));
        world.settle();
        world.run(gone);
        world.run(running);
        world.settle();
        world.finish(gone);
        world.settle();
        world.submit(world.bounded("large", "own", 2, 8, 60 * MINUTE));
        world.submit(world.bounded("lasting", "own", 1, 8, 90 * MINUTE));
        world.settle();
        assertThat(world.engine.views().promises())
                .extracting(Views.Promise::gangUid, Views.Promise::place)
                .containsExactly(tuple("uid-large", List.of("n1", "n2")), tuple("uid-lasting", List.of("n1")));

        // when a marked gang passes both
        Gang passing = passing(600);
        assertThat(World.admitted(world.settle())).containsExactly("passing");
        world.run(passing);
        world.settle();
        world.now += 20 * MINUTE;

        // then nobody tells it to leave while that lets nobody start
        assertThat(world.settle()).isEmpty();
    }

    @Test
    void aMarkMeansNothingOnceTheReservationIsGone() {
        ownerTakesOneNodeAndWaitsForBoth();
        long promised = promise().at();
        Gang passing = passing(600);
        world.settle();
        world.run(passing);
        world.settle();

        world.engine.apply(new Event.GangDeleted("uid-large"));
        world.now = promised - MINUTE;

        assertThat(world.settle())
                .as("only the end of its own run time ends the other")
                .allSatisfy(action -> assertThat(action.target().uid()).isEqualTo("uid-running"));
    }

    @Test
    void aGangThatItsTeamIsDueTakesTheLastRankOfOneThatLivesOnSurplus() {
        // given all four ranks held by work of a queue that owns nothing
        world.child("org", null, 0).child("own", "org", 16).child("free", "org", 0);
        Gang running = world.submit(world.bounded("running", "own", 1, 8, 60 * MINUTE));
        Gang borrower = world.submit(world.spot("borrower", "free", 1, 8, 0));
        world.settle();
        world.run(running);
        world.run(borrower);
        for (int i = 1; i <= 5; i++) {
            world.submit(world.spot("surplus" + i, "free", 1, 8, 0));
        }
        world.settle();
        assertThat(world.engine.views().promises())
                .extracting(Views.Promise::gangUid)
                .containsExactly("uid-surplus1", "uid-surplus2", "uid-surplus3", "uid-surplus4");

        // when two gangs of the owner come that have to wait too
        world.submit(world.bounded("due1", "own", 1, 8, 60 * MINUTE));
        world.submit(world.bounded("due2", "own", 1, 8, 60 * MINUTE));
        world.settle();

        // then each has taken the last rank of those, and the owner's order stands
        assertThat(world.engine.views().promises())
                .extracting(Views.Promise::gangUid)
                .containsExactly("uid-surplus1", "uid-surplus2", "uid-due1", "uid-due2");
    }

    @Test
    void aMarkedGangStaysWhileQuotaKeepsTheHolderOutThoughItsPlaceIsFree() {
        // given a holder that waits for the quota of its own queue, on a fleet that is half empty
        world.node("n3", "h100", 8);
        world.child("org", null, 0).child("own", "org", 16).child("free", "org", 0);
        Gang running = world.submit(world.bounded("running", "own", 1, 8, 60 * MINUTE));
        world.settle();
        world.run(running);
        world.submit(world.bounded("large", "own", 2, 8, 60 * MINUTE));
        world.settle();
        Gang passing = passing(600);
        world.settle();
        world.run(passing);

        world.now += 30 * MINUTE;

        assertThat(world.settle()).hasOnlyElementsOfTypes(Action.Mark.class);
        assertThat(world.view(passing).state()).isEqualTo(GangState.RUNNING);
    }

    @Test
    void aMarkedGangStaysWhileItIsNotSureThatOthersLeaveInTime() {
        // given a promise that rests on what others have shown, and on nothing that is enforced
        world.child("org", null, 0).child("own", "org", 16).child("free", "org", 0);
        for (int i = 0; i < 5; i++) {
            Gang shown = world.submit("shown" + i, "own", 1, 8);
            world.settle();
            world.run(shown);
            world.settle();
            world.now += 60 * MINUTE;
            world.finish(shown);
            world.settle();
        }
        Gang slow = world.submit("slow", "own", 1, 8);
        world.settle();
        world.run(slow);
        world.submit(world.bounded("large", "own", 2, 8, 60 * MINUTE));
        world.settle();
        Gang passing = passing(600);
        assertThat(World.admitted(world.settle())).containsExactly("passing");
        world.run(passing);
        world.settle();

        // when the time comes and the other is still there
        world.now = promise().at() + 1;
        assertThat(world.settle()).isEmpty();

        // then it goes when the other has gone
        world.finish(slow);
        assertThat(world.settle())
                .filteredOn(Action.Notice.class::isInstance)
                .extracting(action -> action.target().uid())
                .containsExactly(passing.uid());
    }

    @Test
    void aProtectedMarkedGangKeepsOthersFromGoingInVain() {
        world.node("n3", "h100", 8);
        world.child("org", null, 0).child("own", "org", 24).child("free", "org", 0);
        Gang running = world.submit(world.bounded("running", "own", 1, 8, 60 * MINUTE));
        world.settle();
        world.run(running);
        world.submit(world.bounded("large", "own", 3, 8, 60 * MINUTE));
        world.settle();
        Gang early = passing(600);
        world.settle();
        world.run(early);
        world.now += 9 * MINUTE;
        Gang late = world.submit(new Gang(
                "uid-late",
                early.namespace(),
                "late",
                early.queue(),
                0,
                true,
                world.now,
                early.podsets(),
                early.nodeClasses(),
                early.requirements(),
                early.maxRuntime()));
        assertThat(World.admitted(world.settle())).containsExactly("late");
        world.run(late);
        world.settle();
        world.now += 2 * MINUTE;
        world.finish(running);

        assertThat(world.settle()).as("the late one is protected still").hasOnlyElementsOfTypes(Action.Mark.class);
        world.now += 8 * MINUTE;
        assertThat(world.settle())
                .filteredOn(Action.Notice.class::isInstance)
                .extracting(action -> action.target().name())
                .containsExactlyInAnyOrder("passing", "late");
    }
}

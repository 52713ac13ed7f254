package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Queue;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Who waits where, while this engine leads and while it follows. */
class WaitingTest {
    private static final long TEN_MINUTES = 600_000;

    @Test
    void aFollowerWritesNothingAndKnowsWhoWaitsSoThatATakeOverStartsWarm() {
        World world = new World().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang first = world.submit("first", "vision", 1, 8);
        Gang second = world.submit("second", "vision", 1, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.engine.views().queue("vision").orElseThrow().waiting()).isEqualTo(2);
        assertThat(List.of(world.view(first).place(), world.view(second).place()))
                .containsExactly(1, 2);

        world.engine.apply(new Event.Synced(World.FENCE));
        assertThat(World.admitted(world.settle())).containsExactly("first");
    }

    @Test
    void thePlaceInLineIsTheOrderInWhichGangsStart() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang running = world.submit("running", "vision", 1, 8);
        world.settle();
        world.run(running);
        Gang slow = world.submit(world.bounded("slow", "vision", 1, 8, 36_000_000));
        Gang quick = world.submit(world.bounded("quick", "vision", 1, 8, 60_000));
        world.settle();
        world.now += TEN_MINUTES;
        world.settle();

        assertThat(world.view(quick).place())
                .as("it waits ten times its run time")
                .isEqualTo(1);
        assertThat(world.view(slow).place()).isEqualTo(2);
        assertThat(world.engine.views().gangs("vision", GangState.WAITING, 10))
                .extracting(Views.GangView::name)
                .containsExactly("quick", "slow");

        world.finish(running);
        assertThat(World.admitted(world.settle())).containsExactly("quick");
    }

    @Test
    void inAQueueThatIsMadeFifoWhoWaitsLongestStartsFirstHoweverLongItRuns() {
        World world = new World(EngineSettings.DEFAULT
                        .with(EngineSettings.Telling.NOBODY)
                        .with(new EngineSettings.Reserving(0, 0, 0)))
                .nodeClass("h100")
                .node("n1", "h100", 8);
        world.engine.apply(new Event.Synced(World.FENCE));
        Queue slowdown = World.queueOf(
                "vision",
                null,
                List.of(new Queue.Quota("h100", World.GPU, 8, OptionalLong.empty(), OptionalLong.empty(), 0)));
        world.engine.apply(new Event.QueueSeen(slowdown));
        Gang running = world.submit("running", "vision", 1, 8);
        world.settle();
        world.run(running);
        world.submit(world.bounded("slow", "vision", 1, 8, 36_000_000));
        world.submit(world.bounded("quick", "vision", 1, 8, 60_000));
        world.settle();
        world.engine.apply(new Event.QueueSeen(new Queue(
                "vision",
                null,
                slowdown.owner(),
                1,
                slowdown.namespaces(),
                slowdown.quotas(),
                slowdown.limits(),
                slowdown.preemption(),
                slowdown.stop(),
                slowdown.unspecific(),
                Queue.Ordering.FIFO,
                Queue.Purpose.TRAINING)));
        world.settle();
        world.now += TEN_MINUTES;
        world.finish(running);

        assertThat(World.admitted(world.settle())).containsExactly("slow");
    }

    @Test
    void aPodWhosePlaceIsRefusedIsTriedAgainAfterADoublingTime() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        world.putPod(world.member(gang, "main", 0, null, PodFacts.Phase.PENDING));

        for (long rest : new long[] {1_000, 2_000, 4_000}) {
            List<Action> actions = world.engine.cycle(world.now, 100).actions();
            assertThat(actions).singleElement().isInstanceOf(Action.PlacePod.class);
            world.engine.apply(new Event.WriteRefused(
                    actions.get(0).target().uid(), Event.Refusal.REFUSED, "a policy says no", world.now));
            world.now += rest - 1;
            assertThat(world.engine.cycle(world.now, 100).actions()).isEmpty();
            world.now += 1;
        }
    }

    @Test
    void whoHasBorrowedInThePastGoesAfterWhoHasNotThoughItsGangIsOlder() {
        World world = World.synced()
                .nodeClass("h100")
                .child("org", null, 8)
                .child("a", "org", 0)
                .child("b", "org", 0)
                .node("n1", "h100", 8);
        Gang borrowed = world.submit(world.spot("borrowed", "a", 1, 8, 0));
        world.settle();
        world.run(borrowed);
        world.settle();
        world.now += 36 * TEN_MINUTES;
        world.submit(world.spot("again", "a", 1, 8, 0));
        world.now += 1;
        world.submit(world.spot("first-time", "b", 1, 8, 0));
        world.finish(borrowed);

        assertThat(World.admitted(world.settle())).containsExactly("first-time");
    }
}

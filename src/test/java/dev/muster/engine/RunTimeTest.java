package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Run time that is bounded, and what a gang has behind it. */
class RunTimeTest {
    private static final long MINUTE = 60_000;

    private final World world =
            World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);

    private static <T extends Action> List<T> of(Class<T> kind, List<Action> actions) {
        return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Gang running(Gang gang) {
        world.submit(gang);
        assertThat(World.admitted(world.settle())).contains(gang.name());
        world.run(gang);
        world.settle();
        return gang;
    }

    private void leave(Gang gang) {
        world.now += MINUTE;
        assertThat(of(Action.Stop.class, world.settle())).hasSize(1);
        world.leave(gang);
    }

    @Test
    void aGangIsToldAndStoppedWhenItsRunTimeIsOverAndDoesNotStartAgain() {
        Gang gang = running(world.bounded("train", "vision", 1, 8, 60 * MINUTE));
        long end = world.admission(gang).admittedAt() + 60 * MINUTE;
        assertThat(world.engine.cycle(world.now, 100).wakeAt()).isLessThanOrEqualTo(end);

        world.now = end - 1;
        assertThat(world.settle()).isEmpty();
        world.now = end;
        assertThat(world.settle()).singleElement().isInstanceOfSatisfying(Action.Notice.class, notice -> {
            assertThat(notice.reason()).isEqualTo(Reason.OUT_OF_TIME);
            assertThat(notice.stopAt()).isEqualTo(end + MINUTE);
        });
        leave(gang);
        world.settle();

        assertThat(world.view(gang).state()).isEqualTo(GangState.WAITING);
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.OUT_OF_TIME);
        assertThat(world.sentence(gang)).isEqualTo("It has run 1h1m in 1 attempt; it may run 1h.");
        assertThat(world.statuses.get(gang.uid()).marks().past().evictions())
                .as("that was no eviction")
                .isEmpty();
    }

    @Test
    void aLongerRunTimeLetsItGoOnForWhatIsLeft() {
        Gang gang = running(world.bounded("train", "vision", 1, 8, 60 * MINUTE));
        world.now = world.admission(gang).admittedAt() + 60 * MINUTE;
        world.settle();
        leave(gang);
        world.settle();

        Gang longer = new Gang(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                gang.queue(),
                0,
                false,
                gang.submittedAt(),
                gang.podsets(),
                List.of(),
                List.of(),
                OptionalLong.of(91 * MINUTE));
        world.jobs.put(gang.uid(), longer);
        world.show(gang.uid(), world.statuses.get(gang.uid()));
        assertThat(World.admitted(world.settle())).containsExactly("train");
        world.run(longer);
        world.settle();

        long end = world.admission(gang).admittedAt() + 30 * MINUTE;
        world.now = end - 1;
        assertThat(world.settle()).isEmpty();
        world.now = end;
        assertThat(of(Action.Notice.class, world.settle())).hasSize(1);
    }

    @Test
    void aQueuesMaximumRunTimeEndsWhatIsRunningWhenItIsLowered() {
        Gang gang = running(world.gang("train", "vision", 1, 8, 0));
        world.now += 120 * MINUTE;
        assertThat(world.settle()).isEmpty();

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
                new Queue.Limits(
                        OptionalLong.of(60 * MINUTE), OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty()),
                plain.preemption(),
                plain.stop(),
                plain.unspecific())));

        assertThat(of(Action.Notice.class, world.settle()))
                .extracting(notice -> notice.target().uid())
                .containsExactly(gang.uid());
    }

    @Test
    void waitingDoesNotCountTheTimeThatAGangHasRun() {
        Gang low = running(world.spot("low", "vision", 1, 8, 0));
        world.now += 100 * MINUTE;
        Gang urgent = world.submit(world.gang("urgent", "vision", 1, 8, 5));
        world.submit(world.spot("newcomer", "vision", 1, 8, 0));
        assertThat(of(Action.Notice.class, world.settle())).hasSize(1);
        leave(low);
        assertThat(World.admitted(world.settle())).containsExactly("urgent");
        world.run(urgent);
        world.settle();
        world.now += 10 * MINUTE;
        world.finish(urgent);

        assertThat(World.admitted(world.settle()))
                .as("the evicted one was submitted first, and has waited for less")
                .containsExactly("newcomer");
        assertThat(world.statuses.get(low.uid()).marks().past().ran()).isEqualTo(101 * MINUTE + 2);
    }

    @Test
    void evictionsOfTheLastDayDoubleTheProtectionAndOlderOnesDoNot() {
        Queue.Preemption plain = Queue.Preemption.DEFAULT;
        long day = 86_400_000;
        PastRuns past = new PastRuns(2, List.of(10 * day, 10 * day + 5), 0);

        assertThat(RunningGangs.protection(plain, past, 10 * day + 10)).isEqualTo(4 * plain.minRuntime());
        assertThat(RunningGangs.protection(plain, past, 11 * day)).isEqualTo(2 * plain.minRuntime());
        assertThat(RunningGangs.protection(plain, past, 12 * day)).isEqualTo(plain.minRuntime());
    }

    @Test
    void whatHasRunForLongIsProtectedForATenthOfThat() {
        PastRuns past = new PastRuns(1, List.of(), 100 * 60 * MINUTE);

        assertThat(RunningGangs.protection(Queue.Preemption.DEFAULT, past, 0)).isEqualTo(600 * MINUTE);
    }
}

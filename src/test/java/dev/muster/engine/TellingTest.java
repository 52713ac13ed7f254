package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Waiting gangs are told why they wait: after a minute, again only for another reason and after five minutes. */
class TellingTest {
    private static final long MINUTE = 60_000;

    private final World world = fullNode();

    private static World fullNode() {
        World world = new World(EngineSettings.DEFAULT.with(EngineSettings.Life.UNBOUNDED));
        world.engine.apply(new Event.Synced(World.FENCE));
        world.nodeClass("h100").queue("vision", 8).queue("nlp", 8).node("n1", "h100", 8);
        Gang running = world.submit("running", "vision", 1, 8);
        world.settle();
        world.run(running);
        world.settle();
        return world;
    }

    private static List<Action.Explain> told(List<Action> actions) {
        return actions.stream()
                .filter(Action.Explain.class::isInstance)
                .map(Action.Explain.class::cast)
                .toList();
    }

    @Test
    void aGangIsToldAfterAMinuteWithTheReasonTheTimeAndTheSentence() {
        Gang gang = world.submit("waits", "vision", 1, 8);
        world.settle();
        world.now += MINUTE - 1;
        assertThat(world.settle()).isEmpty();

        world.now += 1_001;

        assertThat(told(world.settle())).singleElement().satisfies(explain -> {
            assertThat(explain.target().name()).isEqualTo("waits");
            assertThat(explain.reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
            assertThat(explain.since()).isEqualTo(gang.submittedAt());
            assertThat(explain.sentence()).isEqualTo(world.sentence(gang));
        });
    }

    @Test
    void aGangIsToldAgainOnlyForAnotherReasonAndNotWithinFiveMinutes() {
        Gang gang = world.submit("waits", "nlp", 1, 8);
        world.settle();
        world.now += MINUTE;
        assertThat(told(world.settle()))
                .extracting(Action.Explain::reason)
                .containsExactly(world.view(gang).waiting().reason());
        world.now += 10 * MINUTE;
        assertThat(world.settle()).as("the same reason").isEmpty();

        world.engine.apply(new Event.QueueDeleted("nlp"));
        world.settle();
        world.now += 5 * MINUTE;

        assertThat(told(world.settle())).extracting(Action.Explain::reason).containsExactly(Reason.QUEUE_UNKNOWN);
    }

    @Test
    void whoStandsInNoLaneIsToldWhatWhoeverAsksIsTold() {
        // given a queue that takes gangs of at most 4 GPUs, two pending ones at a time
        Queue plain = World.queueOf(
                "vision",
                null,
                List.of(new Queue.Quota("h100", World.GPU, 8, OptionalLong.empty(), OptionalLong.empty(), 0)));
        world.engine.apply(new Event.QueueSeen(new Queue(
                "vision",
                null,
                plain.owner(),
                1,
                plain.namespaces(),
                plain.quotas(),
                new Queue.Limits(OptionalLong.empty(), OptionalLong.of(4), OptionalInt.of(2), OptionalInt.empty()),
                plain.preemption(),
                plain.stop(),
                plain.unspecific())));
        // when one comes that is too large, three that are not, and one that cannot be read
        Gang large = world.submit("large", "vision", 1, 8);
        world.submit("first", "vision", 1, 4);
        world.submit("second", "vision", 1, 4);
        Gang third = world.submit("third", "vision", 1, 4);
        Gang odd = world.submit("odd", "nlp", 1, 4);
        world.engine.apply(Event.unreadable(
                odd.uid(), "team", "odd", "nlp", odd.submittedAt(), world.statuses.get(odd.uid()), "no image"));
        world.settle();
        world.now += MINUTE + 1_000;

        // then
        List<Action.Explain> told = told(world.settle());
        for (Gang gang : List.of(large, third)) {
            assertThat(told)
                    .filteredOn(explain -> explain.target().uid().equals(gang.uid()))
                    .extracting(Action.Explain::reason, Action.Explain::sentence)
                    .containsExactly(tuple(world.view(gang).waiting().reason(), world.sentence(gang)));
        }
        assertThat(told)
                .extracting(explain -> explain.target().name(), Action.Explain::reason)
                .containsExactlyInAnyOrder(
                        tuple("large", Reason.NEVER_RUNNABLE),
                        tuple("first", Reason.QUOTA_EXHAUSTED),
                        tuple("second", Reason.QUOTA_EXHAUSTED),
                        tuple("third", Reason.QUEUE_FULL),
                        tuple("odd", Reason.UNREADABLE));
    }

    @Test
    void nobodyIsToldWhoStartsInTimeAndATurnTellsTwentyAtMost() {
        for (int i = 0; i < 30; i++) {
            world.submit("waits" + i, "vision", 1, 8);
        }
        world.settle();
        world.finish(world.job("uid-running"));
        assertThat(World.admitted(world.settle())).containsExactly("waits0");
        world.now += MINUTE;

        assertThat(told(world.settle())).hasSize(20);
        world.now += 1_000;
        assertThat(told(world.settle())).hasSize(9);
    }

    @Test
    void aRestartDoesNotTellAgain() {
        world.submit("waits", "vision", 1, 8);
        world.settle();
        world.now += MINUTE;
        assertThat(told(world.settle())).hasSize(1);

        World restarted = world.restarted();
        restarted.settle();
        restarted.now += 20 * MINUTE;

        assertThat(told(restarted.settle())).isEmpty();
    }

    /** A gang whose telling is under way. */
    private Action.Explain underWay(Gang gang) {
        world.settle();
        world.now += MINUTE + 1_000;
        List<Action> actions = world.engine.cycle(world.now, 100).actions();
        assertThat(told(actions)).extracting(explain -> explain.target().uid()).containsExactly(gang.uid());
        return told(actions).get(0);
    }

    @Test
    void whileAGangIsBeingToldItIsNotAdmittedAndStartsAsSoonAsThatIsAnswered() {
        Action.Explain explain = underWay(world.submit("waits", "vision", 1, 8));
        world.finish(world.job("uid-running"));
        assertThat(World.admitted(world.engine.cycle(world.now, 100).actions())).isEmpty();

        world.accept(explain);

        assertThat(World.admitted(world.settle())).containsExactly("waits");
    }

    @Test
    void aRefusedTellingCostsNeitherThePlaceInLineNorTheReservationNorAnyTime() {
        Gang gang = world.submit("waits", "vision", 1, 8);
        Action.Explain explain = underWay(gang);
        assertThat(world.engine.views().promises()).hasSize(1);

        world.engine.apply(new Event.WriteRefused(
                explain.target().uid(), Event.Refusal.UNKNOWN, "no answer within 10 s", world.now));
        world.settle();

        assertThat(world.engine.views().promises()).hasSize(1);
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
        world.finish(world.job("uid-running"));
        assertThat(World.admitted(world.settle())).containsExactly("waits");
    }

    @Test
    void alsoAGangThatStandsInNoLaneIsTold() {
        world.engine.apply(
                Event.unreadable("uid-odd", "team", "odd", "vision", world.now, unreadable(), "spec.parallelism is 0"));
        world.settle();
        world.now += MINUTE + 1_000;

        List<Action> actions = world.engine.cycle(world.now, 100).actions();

        assertThat(told(actions)).singleElement().satisfies(explain -> {
            assertThat(explain.reason()).isEqualTo(Reason.UNREADABLE);
            assertThat(explain.sentence()).contains("spec.parallelism is 0");
        });
    }

    private GangStatus unreadable() {
        return new GangStatus(
                world.next(),
                true,
                GangStatus.Acknowledged.UNKNOWN,
                0,
                0,
                Map.of(),
                GangStatus.End.NOT_YET,
                null,
                null,
                "",
                GangMarks.NONE);
    }
}

package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Queue.Limits;
import dev.muster.core.model.Queue.Unspecific;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a queue demands of each gang, and how many may wait: judged by the engine, whatever the door let pass. */
class LimitsTest {
    private static final long HOUR = 3_600_000;
    private static final Limits GPUS =
            new Limits(OptionalLong.empty(), OptionalLong.of(4), OptionalInt.empty(), OptionalInt.empty());
    private static final Limits PRIORITY =
            new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty(), OptionalInt.of(10));
    private static final Limits RUN_TIME =
            new Limits(OptionalLong.of(12 * HOUR), OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty());

    /** What is demanded, by whom, and how the gang that breaks it is told. */
    record Case(String title, Limits limits, Unspecific unspecific, boolean above, String sentence, String help) {
        @Override
        public String toString() {
            return title;
        }
    }

    static Stream<Case> aGangThatBreaksATermIsHeldAndStartsOnceTheTermIsGone() {
        return Stream.of(
                new Case(
                        "its size",
                        GPUS,
                        Unspecific.WARN,
                        false,
                        "It asks for 8 GPUs; queue vision takes gangs of at most 4.",
                        "Make the gang smaller, or ask the queue's owner, vision-lead, to raise limits.maxGangGpus."),
                new Case(
                        "its priority",
                        PRIORITY,
                        Unspecific.WARN,
                        false,
                        "It has priority 50; queue vision takes gangs of at most 10.",
                        "Name a lower PriorityClass, or ask the queue's owner, vision-lead, to raise"
                                + " limits.maxPriority."),
                new Case(
                        "its run time",
                        RUN_TIME,
                        Unspecific.WARN,
                        false,
                        "It may run for 1d6h; queue vision takes gangs of at most 12h.",
                        "Set a shorter muster.dev/max-runtime, or ask the queue's owner, vision-lead, to raise"
                                + " limits.maxRuntime."),
                new Case(
                        "GPUs of any kind",
                        Limits.NONE,
                        Unspecific.REFUSE,
                        false,
                        "It asks for 8 GPUs and does not say which; queue vision takes no such gangs.",
                        "Set muster.dev/node-classes or muster.dev/requires."),
                new Case(
                        "its run time, by a queue above",
                        RUN_TIME,
                        Unspecific.WARN,
                        true,
                        "It may run for 1d6h; queue research takes gangs of at most 12h.",
                        "Set a shorter muster.dev/max-runtime, or ask the queue's owner, research-lead, to raise"
                                + " limits.maxRuntime."),
                new Case(
                        "GPUs of any kind, by a queue above",
                        Limits.NONE,
                        Unspecific.REFUSE,
                        true,
                        "It asks for 8 GPUs and does not say which; queue research takes no such gangs.",
                        "Set muster.dev/node-classes or muster.dev/requires."));
    }

    @ParameterizedTest
    @MethodSource
    void aGangThatBreaksATermIsHeldAndStartsOnceTheTermIsGone(Case given) {
        World world = oneNode();
        tell(world, with(queue(given.above ? "research" : "vision", given.above ? null : "research"), given));
        Gang gang = world.submit(gang(world, "train", 50, 30 * HOUR));
        Gang small = world.submit(world.wishing("small", "vision", 1, 4, "h100"));

        assertThat(World.admitted(world.settle())).containsExactly("small");
        assertThat(world.view(gang).waiting())
                .isEqualTo(new Waiting(Reason.NEVER_RUNNABLE, given.sentence, given.help));
        assertThat(world.engine.views().queue("vision").orElseThrow().waiting()).isEqualTo(1);
        assertThat(world.engine
                        .views()
                        .queue("vision")
                        .orElseThrow()
                        .quotas()
                        .get(0)
                        .waiting())
                .describedAs("it wants nothing")
                .isZero();
        assertThat(world.engine.views().assess(gang).never())
                .isEqualTo(world.view(gang).waiting());

        world.finish(small);
        tell(world, queue(given.above ? "research" : "vision", given.above ? null : "research"));
        assertThat(World.admitted(world.settle())).containsExactly("train");
    }

    @Test
    void twoGangsAlikeButForARunTimeOnEitherSideOfTheLimitDoNotHoldEachOther() {
        World world = oneNode();
        tell(world, with(queue("vision", "research"), RUN_TIME, Unspecific.WARN));
        Gang over = world.submit(gang(world, "over", 0, 12 * HOUR + 60_000));
        Gang within = world.submit(gang(world, "within", 0, 12 * HOUR));

        assertThat(World.admitted(world.settle())).containsExactly("within");
        assertThat(world.sentence(over)).isEqualTo("It may run for 12h1m; queue vision takes gangs of at most 12h.");
        world.finish(within);

        world.jobs.put(
                over.uid(),
                new Gang(
                        over.uid(),
                        over.namespace(),
                        over.name(),
                        over.queue(),
                        0,
                        false,
                        over.submittedAt(),
                        over.podsets(),
                        List.of(),
                        List.of(),
                        OptionalLong.of(11 * HOUR)));
        world.show(over.uid(), world.statuses.get(over.uid()));
        assertThat(World.admitted(world.settle()))
                .describedAs("a shorter bound lets it in")
                .containsExactly("over");
    }

    @Test
    void ofThePendingOnlyTheFirstTakePartAndTheNextFollowsAsSoonAsOneLeaves() {
        World world = oneNode();
        world.submit("running", "vision", 1, 8);
        world.settle();
        world.run(world.job("uid-running"));
        world.settle();
        tell(world, with(queue("vision", "research"), pending(2), Unspecific.WARN));
        List<Gang> gangs = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            gangs.add(world.submit("g" + i, "vision", 1, i == 4 ? 2 : 8));
        }

        assertThat(world.settle()).isEmpty();
        assertThat(gangs.stream().map(gang -> world.view(gang).place())).containsExactly(1, 2, 3, 4, 5);
        assertThat(gangs.stream().map(gang -> world.view(gang).waiting().reason()))
                .containsExactly(
                        Reason.QUOTA_EXHAUSTED,
                        Reason.QUOTA_EXHAUSTED,
                        Reason.QUEUE_FULL,
                        Reason.QUEUE_FULL,
                        Reason.QUEUE_FULL);
        assertThat(world.view(gangs.get(3)).waiting())
                .isEqualTo(new Waiting(
                        Reason.QUEUE_FULL,
                        "Queue vision already has 2 of 2 pending gangs, and 1 more is before this one.",
                        "It takes part as soon as gangs before it have started or are deleted; the queue's owner,"
                                + " vision-lead, can raise limits.maxPending."));
        assertThat(world.engine.views().queue("vision").orElseThrow().waiting()).isEqualTo(5);
        assertThat(world.engine
                        .views()
                        .queue("vision")
                        .orElseThrow()
                        .quotas()
                        .get(0)
                        .waiting())
                .isEqualTo(16);
        Gang newcomer = world.gang("newcomer", "vision", 1, 1, 0);
        assertThat(world.engine.views().assess(newcomer).waiting().sentence())
                .isEqualTo("Queue vision already has 2 of 2 pending gangs, and 3 more are before this one.");

        world.engine.apply(new Event.GangDeleted("uid-g1"));
        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gangs.get(2)).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
        assertThat(world.view(gangs.get(3)).waiting().reason()).isEqualTo(Reason.QUEUE_FULL);

        world.finish(world.job("uid-running"));
        assertThat(World.admitted(world.settle())).containsExactly("g2");
        assertThat(world.view(gangs.get(3)).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);

        tell(world, queue("vision", "research"));
        world.settle();
        assertThat(world.view(gangs.get(4)).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
    }

    @Test
    void anOlderGangThatComesBackTakesThePlaceOfTheYoungestAmongThePending() {
        World world = oneNode();
        tell(world, with(queue("vision", "research"), pending(1), Unspecific.WARN));
        Gang first = world.submit("first", "vision", 1, 8);
        world.settle();
        world.run(first);
        Gang second = world.submit("second", "vision", 1, 8);
        world.settle();
        assertThat(world.view(second).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);

        world.show(first.uid(), world.stoppedByHand(first));
        world.settle();
        world.leave(first);

        assertThat(World.admitted(world.settle())).hasSize(1);
        assertThat(world.engine.views().gangs("vision", null, 10)).hasSize(2);
    }

    @Test
    void aGangThatCannotStartBeforeSomebodyChangesSomethingIsNotCountedAmongThePending() {
        World world = oneNode();
        tell(world, with(queue("vision", "research"), pending(1), Unspecific.WARN));
        Gang never = world.submit("never", "vision", 1, 9);
        world.settle();
        assertThat(world.view(never).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);

        Gang another = world.submit("another", "vision", 1, 9);
        Gang good = world.submit("good", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).containsExactly("good");
        assertThat(world.view(another).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.view(good).waiting()).isNull();
    }

    private static World oneNode() {
        World world = World.synced().nodeClass("h100").node("n1", "h100", 8);
        tell(world, queue("research", null));
        tell(world, queue("vision", "research"));
        return world;
    }

    private static Gang gang(World world, String name, int priority, long maxRuntime) {
        Gang plain = world.gang(name, "vision", 1, 8, priority);
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "vision",
                priority,
                false,
                plain.submittedAt(),
                plain.podsets(),
                List.of(),
                List.of(),
                OptionalLong.of(maxRuntime));
    }

    private static Limits pending(int most) {
        return new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(most), OptionalInt.empty());
    }

    private static Queue queue(String name, String parent) {
        return World.queueOf(
                name,
                parent,
                List.of(new Queue.Quota(
                        "h100", World.GPU, parent == null ? 0 : 8, OptionalLong.empty(), OptionalLong.empty(), 0)));
    }

    private static Queue with(Queue queue, Case given) {
        return with(queue, given.limits, given.unspecific);
    }

    private static Queue with(Queue queue, Limits limits, Unspecific unspecific) {
        return new Queue(
                queue.name(),
                queue.parent(),
                queue.owner(),
                queue.weight(),
                queue.namespaces(),
                queue.quotas(),
                limits,
                queue.preemption(),
                queue.stop(),
                unspecific);
    }

    private static void tell(World world, Queue queue) {
        world.engine.apply(new Event.QueueSeen(queue));
    }
}

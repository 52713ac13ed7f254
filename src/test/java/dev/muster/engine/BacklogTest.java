package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long lines: who waits for one thing is in nobody's way, and the length of a line costs nothing. */
class BacklogTest {
    private static final int BUDGET = 100;

    @ParameterizedTest(name = "{0} kinds of gangs")
    @ValueSource(ints = {1, 1_000})
    void c59_aGangAtPlace1000ThatFitsStartsWithinSecondsThoughRunningOnesEndEachSecond(int kinds) {
        World world = World.synced().nodeClass("h100").nodeClass("cpu");
        world.engine.apply(new Event.QueueSeen(World.queueOf(
                "vision", null, List.of(quota("h100", World.GPU, 8), quota("cpu", Amounts.CPU, 64_000)))));
        world.node("g1", "h100", 8);
        world.engine.apply(new Event.NodeSeen(new NodeFacts(
                "c1", Map.of("gpu", "cpu"), List.of(), Amounts.of(Map.of("cpu", 64_000L, "pods", 110L)), true, false)));
        List<Gang> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            running.add(world.submit("running" + i, "vision", 1, 1));
        }
        world.settle();
        running.forEach(world::run);
        world.settle();
        Gang wanted = null;
        for (int i = 0; i < 10_000; i++) {
            if (i == 1_000) {
                wanted = world.submit(
                        asking(world, "wanted", List.of("cpu"), Amounts.of(Map.of("cpu", 4_000L, "pods", 1L))));
            } else {
                long gpus = 2 + i % kinds % 2;
                world.submit(asking(
                        world,
                        "gpu" + i,
                        List.of(),
                        Amounts.of(Map.of(World.GPU, gpus, "cpu", 1_000L + i % kinds, "pods", 1L))));
            }
        }
        int seconds = 0;
        while (!isAdmitted(world, wanted) && seconds < 8) {
            world.finish(running.get(seconds++));
            for (int cycles = 0; cycles < 5; cycles++) {
                world.engine.cycle(world.now, BUDGET).actions().forEach(world::accept);
            }
            world.now += 1_000;
        }

        assertThat(isAdmitted(world, wanted)).isTrue();
        assertThat(seconds).describedAs("seconds").isLessThanOrEqualTo(kinds == 1 ? 1 : 3);
    }

    @Test
    void c60_fiveHundredGangsStartAsFastFromOneQueueAsFromTen() {
        int ofOne = cyclesUntilAllRun(1);
        int ofTen = cyclesUntilAllRun(10);

        assertThat(ofOne).isEqualTo(ofTen);
        assertThat(ofOne).describedAs("500 gangs, %d a cycle", BUDGET).isEqualTo(5);
    }

    private static int cyclesUntilAllRun(int queues) {
        World world = World.synced().nodeClass("h100");
        for (int i = 0; i < 63; i++) {
            world.node("n" + i, "h100", 8);
        }
        for (int i = 0; i < queues; i++) {
            world.queue("q" + i, 500);
        }
        for (int i = 0; i < 500; i++) {
            world.submit("g" + i, "q" + i % queues, 1, 1);
        }
        int admitted = 0;
        int cycles = 0;
        while (admitted < 500 && cycles < 100) {
            List<Action> actions = world.engine.cycle(world.now, BUDGET).actions();
            actions.forEach(world::accept);
            admitted += World.admitted(actions).size();
            cycles++;
        }
        assertThat(admitted).isEqualTo(500);
        return cycles;
    }

    @Test
    void twoQueuesCannotBothBorrowTheLastUnit() {
        World world = World.synced().nodeClass("h100").node("n1", "h100", 8);
        world.queue("root", 1).child("a", "root", 0).child("b", "root", 0);
        Gang ofA = world.submit(world.spot("of-a", "a", 1, 1, 0));
        Gang ofB = world.submit(world.spot("of-b", "b", 1, 1, 0));

        assertThat(World.admitted(world.settle())).containsExactly("of-a");
        assertThat(world.view(ofA).waiting()).isNull();
        assertThat(world.view(ofB).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
    }

    @Test
    void twoQueuesMayBorrowDifferentClassesAtOnce() {
        World world = World.synced().nodeClass("h100").nodeClass("a100");
        world.node("n1", "h100", 8).node("n2", "a100", 8);
        world.queue("root", Map.of("h100", 1L, "a100", 1L))
                .child("a", "root", 0)
                .child("b", "root", 0);
        world.submit(world.wishing("of-a", "a", 1, 1, "h100"));
        world.submit(world.wishing("of-b", "b", 1, 1, "a100"));

        assertThat(World.admitted(world.settle())).containsExactlyInAnyOrder("of-a", "of-b");
    }

    @Test
    void whatCanNeverBeAndWhatIsOnlyMissingNowAreToldApart() {
        World world = World.synced().nodeClass("h100").node("n1", "h100", 8).queue("vision", 8);
        world.submit("running", "vision", 1, 8);
        world.settle();
        Gang now = world.submit("now", "vision", 1, 1);
        Gang never = world.submit("never", "vision", 1, 9);
        Gang elsewhere = world.submit(world.wishing("elsewhere", "vision", 1, 1, "b200"));
        Gang nowhere = world.submit("nowhere", "speech", 1, 1);
        world.settle();

        assertThat(List.of(now, never, elsewhere, nowhere).stream()
                        .map(gang -> world.view(gang).waiting().reason()))
                .containsExactly(
                        Reason.QUOTA_EXHAUSTED, Reason.NEVER_RUNNABLE, Reason.NO_NODE_FITS, Reason.QUEUE_UNKNOWN);
    }

    private static boolean isAdmitted(World world, Gang gang) {
        return world.statuses.get(gang.uid()).admission() != null;
    }

    private static Queue.Quota quota(String nodeClass, String resource, long nominal) {
        return new Queue.Quota(nodeClass, resource, nominal, OptionalLong.empty(), OptionalLong.empty(), 0);
    }

    private static Gang asking(World world, String name, List<String> classes, Amounts requests) {
        Gang plain = world.gang(name, "vision", 1, 1, 0);
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "vision",
                0,
                false,
                plain.submittedAt(),
                List.of(new PodSet("main", 1, 1, new PodShape(requests, List.of(), List.of()), true, null)),
                classes,
                List.of(),
                OptionalLong.empty());
    }
}

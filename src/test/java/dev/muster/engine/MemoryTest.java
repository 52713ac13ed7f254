package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.model.Gang;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the engine publishes to be stored, and goes on from after a restart. */
class MemoryTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    private final World world =
            World.synced().nodeClass("h100").node("n1", "h100", 8).node("n2", "h100", 8);

    private static QueueMemory memory(World world, String queue) {
        return world.engine.views().toStore().queues().get(queue);
    }

    private List<Event> stored() {
        List<Event> stored = new ArrayList<>();
        Views.ToStore toStore = world.engine.views().toStore();
        toStore.queues().forEach((queue, memory) -> stored.add(new Event.QueueRemembered(queue, memory)));
        toStore.classes()
                .forEach((nodeClass, promises) -> stored.add(new Event.PromisesRemembered(nodeClass, promises)));
        return stored;
    }

    private void runs(String name, String queue, long length) {
        Gang gang = world.submit(name, queue, 1, 1);
        world.settle();
        world.run(gang);
        world.settle();
        world.now += length;
        world.finish(gang);
        world.settle();
    }

    @Test
    void learnedRunTimesAreGoneOnWithAfterARestart() {
        world.queue("all", 16);
        for (int i = 0; i < 5; i++) {
            runs("short" + i, "all", 20 * MINUTE);
        }
        world.now += HOUR;

        QueueMemory memory = memory(world, "all");
        assertThat(memory.runTimes().keySet()).containsExactly(1);
        assertThat(memory.runTimes().get(1).samples()).isEqualTo(5);

        World next = world.restarted(stored());
        next.settle();
        next.now += HOUR;
        assertThat(memory(next, "all").runTimes()).isEqualTo(memory.runTimes());
        // a reservation behind a gang that declares nothing has a time only because run times are known
        assertThat(promisedBehindAnUndeclaredGang(next)).isNotEqualTo(Long.MAX_VALUE);
        assertThat(promisedBehindAnUndeclaredGang(world.restarted())).isEqualTo(Long.MAX_VALUE);
    }

    private static long promisedBehindAnUndeclaredGang(World world) {
        Gang undeclared = world.submit("undeclared", "all", 1, 1);
        world.settle();
        world.run(undeclared);
        world.settle();
        world.submit("large", "all", 2, 8);
        world.settle();
        return world.engine.views().promises().get(0).at();
    }

    @Test
    void pastUseDecidesTheOrderOfQueuesAlsoAfterARestart() {
        world.child("org", null, 16).child("once", "org", 0).child("never", "org", 0);
        Gang borrower = world.spot("borrower", "once", 2, 8, 0);
        world.submit(borrower);
        world.settle();
        world.run(borrower);
        world.settle();
        world.now += 12 * HOUR;
        world.settle();
        world.finish(borrower);
        world.settle();
        world.now += HOUR;
        world.settle();
        assertThat(memory(world, "once").pastUse()).isNotNull();
        assertThat(memory(world, "never").pastUse()).isNull();

        assertThat(firstOfTwo(world.restarted(stored()))).isEqualTo("other");
        assertThat(firstOfTwo(world.restarted())).as("by age alone").isEqualTo("again");
    }

    private static String firstOfTwo(World world) {
        world.submit(world.spot("again", "once", 2, 8, 0));
        world.submit(world.spot("other", "never", 2, 8, 0));
        return World.admitted(world.settle()).get(0);
    }

    @Test
    void aPromiseKeepsItsRankAndTimeAfterARestart() {
        world.queue("all", 16);
        Gang running = world.submit(world.bounded("running", "all", 1, 8, HOUR));
        world.settle();
        world.run(running);
        world.submit(world.bounded("large", "all", 2, 8, HOUR));
        world.submit(world.bounded("second", "all", 2, 8, 2 * HOUR));
        world.settle();
        List<Views.Promise> before = world.engine.views().promises();
        assertThat(before).hasSize(2);
        assertThat(before.get(0).title()).isEqualTo("team/large");

        World next = world.restarted(stored());
        assertThat(next.settle()).isEmpty();
        assertThat(next.engine.views().promises()).isEqualTo(before);
    }

    @Test
    void aPromiseThatComesLaterAfterARestartSaysSo() {
        world.queue("all", 16);
        Gang running = world.submit(world.bounded("running", "all", 1, 8, HOUR));
        world.settle();
        world.run(running);
        Gang large = world.submit(world.bounded("large", "all", 2, 8, HOUR));
        world.settle();
        Views.Promise now = world.engine.views().promises().get(0);
        Views.Promise earlier = new Views.Promise(
                large.uid(), now.title(), "h100", 1, now.at() - MINUTE, now.place(), false, 0, Cause.PLANNED);

        World next = world.restarted(List.of(new Event.PromisesRemembered("h100", List.of(earlier))));
        next.settle();
        Views.Promise after = next.engine.views().promises().get(0);
        assertThat(after.at()).isEqualTo(now.at());
        assertThat(after.slips()).isEqualTo(1);
        assertThat(after.cause()).isEqualTo(Cause.RESTART);
    }

    @Test
    void whoLeadsGoesByItsOwnMemory() {
        world.queue("all", 16);
        Gang running = world.submit(world.bounded("running", "all", 1, 8, HOUR));
        world.settle();
        world.run(running);
        world.submit(world.bounded("large", "all", 2, 8, HOUR));
        world.settle();
        List<Views.Promise> before = world.engine.views().promises();

        world.engine.apply(new Event.PromisesRemembered("h100", List.of()));
        world.settle();
        assertThat(world.engine.views().promises()).isEqualTo(before);
    }
}

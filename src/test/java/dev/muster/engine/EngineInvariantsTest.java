package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random lives of a small cluster; after every step the sums are made again by other code than the engine's. */
class EngineInvariantsTest {
    private static final int NODES = 5;
    private static final Map<String, Long> QUOTA = Map.of("a", 16L, "b", 12L, "c", 8L);

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("muster.seeds", 200));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noQuotaAndNoNodeIsEverOvershotAndNothingThatFitsIsLeftWaiting(long seed) {
        Random random = new Random(seed);
        World world = World.synced().nodeClass("h100");
        QUOTA.forEach(world::queue);
        for (int i = 0; i < NODES; i++) {
            world.node("n" + i, "h100", 8);
        }
        List<Gang> live = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            act(random, world, live, step);
            List<Action> actions = world.settle();
            check(seed, step, world, live, actions);
        }
    }

    private static void act(Random random, World world, List<Gang> live, int step) {
        int what = random.nextInt(10);
        if (what < 5) {
            String queue = List.of("a", "b", "c").get(random.nextInt(3));
            live.add(world.submit(
                    world.gang("g" + step, queue, 1 + random.nextInt(4), 1 + random.nextInt(8), random.nextInt(3))));
        } else if (what < 7) {
            admitted(world, live).stream().findFirst().ifPresent(world::run);
        } else if (what < 9) {
            List<Gang> running = admitted(world, live);
            if (!running.isEmpty()) {
                Gang ended = running.get(random.nextInt(running.size()));
                world.finish(ended);
                live.remove(ended);
            }
        } else {
            Gang waiting = live.stream()
                    .filter(gang -> world.statuses.get(gang.uid()).admission() == null)
                    .findFirst()
                    .orElse(null);
            if (waiting != null) {
                world.report(waiting.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);
            }
        }
    }

    private static List<Gang> admitted(World world, List<Gang> live) {
        return live.stream()
                .filter(gang -> world.statuses.get(gang.uid()).admission() != null)
                .toList();
    }

    private static void check(long seed, int step, World world, List<Gang> live, List<Action> actions) {
        String at = "seed " + seed + ", step " + step;
        Map<String, Long> used = new TreeMap<>();
        Map<String, Long> nodes = new TreeMap<>();
        for (Gang gang : admitted(world, live)) {
            Admission admission = world.admission(gang);
            PodSetPlace place = admission.podsets().get(0);
            assertThat(place.count())
                    .as(at + ": members placed of " + gang.name())
                    .isEqualTo(gang.podsets().get(0).count());
            long each = gang.podsets().get(0).shape().requests().get(World.GPU);
            used.merge(gang.queue(), each * place.count(), Long::sum);
            for (NodeSlots slots : place.nodes()) {
                nodes.merge(slots.node(), each * slots.members(), Long::sum);
            }
        }
        used.forEach(
                (queue, gpus) -> assertThat(gpus).as(at + ": use of " + queue).isLessThanOrEqualTo(QUOTA.get(queue)));
        nodes.forEach(
                (node, gpus) -> assertThat(gpus).as(at + ": use of " + node).isLessThanOrEqualTo(8));
        world.engine
                .views()
                .queues()
                .forEach(queue -> assertThat(queue.quotas().get(0).used())
                        .as(at + ": the engine's own sum for " + queue.name())
                        .isEqualTo(used.getOrDefault(queue.name(), 0L)));
        for (Gang gang : live) {
            if (world.view(gang).state() == GangState.WAITING) {
                boolean isReserved = world.view(gang).waiting().reason() == Reason.RESERVED_FOR_OTHERS;
                assertThat(!isReserved && fits(gang, used, nodes))
                        .as(at + ": " + gang.name() + " waits although it fits")
                        .isFalse();
                assertThat(world.sentence(gang)).as(at).isNotEmpty();
            }
        }
        assertThat(actions.stream()
                        .map(action -> action.target().uid() + action.getClass())
                        .distinct()
                        .count())
                .as(at + ": one write of a kind per object")
                .isEqualTo(actions.size());
    }

    /** Counts free whole members per node, by code of its own. */
    private static boolean fits(Gang gang, Map<String, Long> used, Map<String, Long> nodes) {
        long each = gang.podsets().get(0).shape().requests().get(World.GPU);
        int count = gang.podsets().get(0).count();
        if (used.getOrDefault(gang.queue(), 0L) + each * count > QUOTA.get(gang.queue())) {
            return false;
        }
        long members = 0;
        for (int i = 0; i < NODES; i++) {
            members += (8 - nodes.getOrDefault("n" + i, 0L)) / each;
        }
        return members >= count;
    }
}

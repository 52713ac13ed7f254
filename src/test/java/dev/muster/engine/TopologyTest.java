package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Reason;
import dev.muster.core.model.TopologyWish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two racks of two nodes of 8 GPUs each. */
class TopologyTest {
    private static final String RACK = "example.com/rack";
    private static final long HOUR = 3_600_000;

    private final World world = World.synced().queue("team", 64);

    TopologyTest() {
        world.engine.apply(new Event.ClassSeen(new NodeClass(
                "h100", Map.of("gpu", "h100"), null, List.of(), World.GPU, Map.of(), List.of(RACK), null)));
        node("n1", "a");
        node("n2", "a");
        node("n3", "b");
        node("n4", "b");
    }

    private void node(String name, String rack) {
        NodeFacts plain = World.nodeFacts(name, "h100", 8);
        Map<String, String> labels = new HashMap<>(plain.labels());
        labels.put(RACK, rack);
        world.engine.apply(new Event.NodeSeen(
                new NodeFacts(name, labels, plain.taints(), plain.allocatable(), plain.ready(), plain.cordoned())));
    }

    /** A gang that demands one rack, with a bound of its run time. */
    private Gang inOneRack(String name, int members) {
        Gang plain = world.gang(name, "team", members, 8, 0);
        PodSet podset = plain.podsets().get(0);
        return world.submit(new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "team",
                0,
                false,
                plain.submittedAt(),
                List.of(new PodSet(
                        podset.name(), members, members, podset.shape(), true, new TopologyWish(RACK, true))),
                List.of(),
                List.of(),
                OptionalLong.of(HOUR)));
    }

    @Test
    void aGangThatNoRackCouldEverHoldIsToldSoAndTakesNoReservationFromOthers() {
        // given four gangs that ask for more than a rack has
        Gang never = inOneRack("never", 3);
        for (int i = 1; i <= 3; i++) {
            inOneRack("never" + i, 3);
        }
        world.settle();
        assertThat(world.view(never).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.sentence(never))
                .startsWith("It asks for 3 x ")
                .endsWith("; node class h100 has 4 nodes of at most 8 GPUs and could not hold it in one " + RACK
                        + " even when empty.");

        // when gangs come that only have to wait
        Gang running = world.submit(world.bounded("running", "team", 4, 8, HOUR));
        world.settle();
        world.run(running);
        Gang waiting = inOneRack("waiting", 2);
        world.settle();

        // then the rank is theirs
        assertThat(world.engine.views().promises())
                .extracting(Views.Promise::gangUid)
                .containsExactly(waiting.uid());

        // and when a rack grows, what it can hold starts
        node("n5", "b");
        world.finish(running);
        assertThat(World.admitted(world.settle())).contains("waiting", "never");
    }
}

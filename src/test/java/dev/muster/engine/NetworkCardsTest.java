package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An extended resource that no node class names as its own is no GPU. */
class NetworkCardsTest {
    private final World world = World.synced().nodeClass("h100").node("n1", "h100", 16);

    @Test
    void theLimitOfAGangsGpusCountsNoNetworkCards() {
        world.engine.apply(new Event.QueueSeen(atMost(8)));

        assertThat(String.valueOf(world.engine
                        .views()
                        .assess(withNetworkCards("small", 8))
                        .waiting()))
                .doesNotContain("takes gangs of at most");
        assertThat(world.engine.views().assess(withNetworkCards("large", 9)).waiting())
                .isEqualTo(new Waiting(
                        Reason.NEVER_RUNNABLE,
                        "It asks for 9 GPUs; queue a takes gangs of at most 8.",
                        "Make the gang smaller, or ask the queue's owner, a-lead, to raise limits.maxGangGpus."));
    }

    @Test
    void aGangThatAlsoAsksForNetworkCardsStartsWhereANodeOffersThem() {
        world.engine.apply(new Event.QueueSeen(atMost(16)));
        Gang gang = world.submit(withNetworkCards("train", 8));
        world.settle();
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);

        NodeFacts plain = World.nodeFacts("n2", "h100", 8);
        Map<String, Long> offered = new TreeMap<>(plain.allocatable().byResource());
        offered.put("rdma/hca", 8L);
        world.engine.apply(new Event.NodeSeen(
                new NodeFacts("n2", plain.labels(), plain.taints(), Amounts.of(offered), true, false)));

        assertThat(World.admitted(world.settle())).containsExactly("train");
        assertThat(world.admission(gang).podsets().get(0).nodes()).containsExactly(new NodeSlots("n2", 1));
    }

    private Gang withNetworkCards(String name, long gpus) {
        Gang plain = world.gang(name, "a", 1, gpus, 0);
        PodShape shape = new PodShape(
                Amounts.of(Map.of(World.GPU, gpus, "rdma/hca", gpus, "cpu", 1_000L, "pods", 1L)), List.of(), List.of());
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "a",
                0,
                false,
                plain.submittedAt(),
                List.of(new PodSet("main", 1, 1, shape, true, null)),
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    private static Queue atMost(long gpus) {
        Queue plain = World.queueOf(
                "a",
                null,
                List.of(new Queue.Quota("h100", World.GPU, 16, OptionalLong.empty(), OptionalLong.empty(), 0)));
        return new Queue(
                "a",
                null,
                plain.owner(),
                1,
                Set.of(),
                plain.quotas(),
                new Queue.Limits(OptionalLong.empty(), OptionalLong.of(gpus), OptionalInt.empty(), OptionalInt.empty()),
                plain.preemption(),
                plain.stop(),
                plain.unspecific());
    }
}

package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Queue;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** GPUs that are cut into slices in one way after another: each way is a class, and names that are left over count nothing. */
class SlicesTest {
    private static final String SMALL = "nvidia.com/mig-1g.10gb";
    private static final String LARGE = "nvidia.com/mig-3g.40gb";

    @Test
    void c38_afterTwoReslicings8LargeSlicesCount_NeitherThe56SmallOnesNorThe8WholeGpus_AndAJobForAWholeOneSaysSo() {
        // given a class for each layout of the node's 8 GPUs
        World world = World.synced();
        world.engine.apply(new Event.ClassSeen(layout("whole", World.GPU, NodeClass.Sharing.EXCLUSIVE)));
        world.engine.apply(new Event.ClassSeen(layout("small", SMALL, NodeClass.Sharing.MIG)));
        world.engine.apply(new Event.ClassSeen(layout("large", LARGE, NodeClass.Sharing.MIG)));
        world.engine.apply(new Event.QueueSeen(World.queueOf(
                "q",
                null,
                List.of(quota("whole", World.GPU, 8), quota("small", SMALL, 56), quota("large", LARGE, 8)))));
        // when it was whole, then in 56 small slices, then in 8 large ones, and every name has kept its count
        TreeMap<String, Long> offered = new TreeMap<>(Map.of("cpu", 64_000L, "memory", 1L << 39, "pods", 110L));
        offered.put(World.GPU, 8L);
        world.engine.apply(new Event.NodeSeen(node("whole", offered)));
        world.settle();
        assertThat(gpus(world)).isEqualTo(Map.of("whole", 8L, "small", 0L, "large", 0L));
        offered.put(SMALL, 56L);
        world.engine.apply(new Event.NodeSeen(node("small", offered)));
        world.settle();
        assertThat(gpus(world)).isEqualTo(Map.of("whole", 0L, "small", 56L, "large", 0L));
        offered.put(LARGE, 8L);
        world.engine.apply(new Event.NodeSeen(node("large", offered)));
        // and a job asks for one whole GPU
        Gang whole = world.submit("one", "q", 1, 1);
        assertThat(World.admitted(world.settle())).isEmpty();
        // then what counts is what is there
        assertThat(gpus(world)).isEqualTo(Map.of("whole", 0L, "small", 0L, "large", 8L));
        assertThat(world.sentence(whole))
                .isEqualTo(
                        "Node class whole has no nodes now. 1 node that still names nvidia.com/gpu is in class large, which"
                                + " counts nvidia.com/mig-3g.40gb.");
    }

    private static NodeClass layout(String name, String resource, NodeClass.Sharing sharing) {
        return new NodeClass(
                name,
                Map.of("layout", name),
                null,
                List.of(),
                resource,
                Map.of(),
                List.of(),
                null,
                sharing,
                Set.of(),
                "");
    }

    private static Queue.Quota quota(String nodeClass, String resource, long nominal) {
        return new Queue.Quota(nodeClass, resource, nominal, OptionalLong.empty(), OptionalLong.empty(), 0);
    }

    private static NodeFacts node(String layout, Map<String, Long> offered) {
        return new NodeFacts("n1", Map.of("layout", layout), List.of(), Amounts.of(offered), true, false);
    }

    private static Map<String, Long> gpus(World world) {
        Map<String, Long> gpus = new TreeMap<>();
        world.engine.views().nodeClasses().forEach(one -> gpus.put(one.name(), one.gpus()));
        return gpus;
    }
}

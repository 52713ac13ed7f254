package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What gangs are charged that take more of a node than its GPUs. */
class ChargesTest {
    private static final Amounts ALL_CPUS = Amounts.of(Map.of(World.GPU, 1L, "cpu", 64_000L, "pods", 1L));

    private static Gang gang(World world, String name, List<String> classes, Amounts... requests) {
        Gang plain = world.gang(name, "vision", 1, 1, 0);
        List<PodSet> podsets = new java.util.ArrayList<>();
        for (int i = 0; i < requests.length; i++) {
            podsets.add(new PodSet("set" + i, 1, 1, new PodShape(requests[i], List.of(), List.of()), true, null));
        }
        return new Gang(
                plain.uid(),
                plain.namespace(),
                name,
                "vision",
                0,
                false,
                plain.submittedAt(),
                podsets,
                classes,
                List.of(),
                OptionalLong.empty());
    }

    private static Amounts gpus(long gpus) {
        return Amounts.of(World.GPU, gpus);
    }

    @Test
    void aPodWithOneGpuAndAllCpusOfANodeOfEightIsChargedEightAndTheAdmissionSaysSo() {
        World world = World.synced()
                .nodeClass("h100")
                .queue("vision", 12)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8);
        Gang greedy = world.submit(gang(world, "greedy", List.of(), ALL_CPUS));
        Gang second = world.submit(gang(world, "second", List.of(), ALL_CPUS));

        assertThat(World.admitted(world.settle())).containsExactly("greedy");
        assertThat(world.admission(greedy).podsets().get(0).perMember()).isEqualTo(gpus(8));
        assertThat(world.view(greedy).charge()).isEqualTo(gpus(8));
        assertThat(world.view(second).charge()).isEqualTo(gpus(8));
        assertThat(world.sentence(second))
                .isEqualTo(
                        "Queue vision uses 8 of its 12 h100 GPUs; this gang needs 8 (it asks for 1; the CPUs, memory or"
                                + " other resources that it takes make 8 unusable) and 4 are left.");
    }

    @Test
    void whatARunningGangIsChargedStaysWhenItsNodeIsLostOrALargerOneJoins() {
        World world = World.synced().nodeClass("h100").queue("vision", 32).node("n1", "h100", 8);
        Gang half = world.submit(
                gang(world, "half", List.of(), Amounts.of(Map.of(World.GPU, 1L, "cpu", 32_000L, "pods", 1L))));
        world.settle();
        assertThat(world.view(half).charge()).isEqualTo(gpus(4));

        world.engine.apply(new Event.NodeSeen(new NodeFacts(
                "n2",
                Map.of("gpu", "h100"),
                List.of(),
                Amounts.of(Map.of(World.GPU, 16L, "cpu", 256_000L, "memory", 1L << 40, "pods", 110L)),
                true,
                false)));
        world.settle();
        Gang later = world.submit(
                gang(world, "later", List.of(), Amounts.of(Map.of(World.GPU, 1L, "cpu", 32_000L, "pods", 1L))));
        world.settle();
        assertThat(world.view(half).charge()).isEqualTo(gpus(4));
        assertThat(world.view(later).charge())
                .describedAs("32 of 256 CPUs of 16 GPUs")
                .isEqualTo(gpus(2));

        world.engine.apply(new Event.NodeDeleted("n1"));
        world.settle();
        assertThat(world.used("vision")).isEqualTo(6);
    }

    @Test
    void theDeclaredShapeOfTheClassCountsBeforeItsNodes() {
        World world = World.synced().queue("vision", 32);
        world.engine.apply(new Event.ClassSeen(new NodeClass(
                "h100",
                Map.of("gpu", "h100"),
                null,
                List.of(),
                World.GPU,
                Map.of(),
                List.of(),
                new NodeClass.Scaling(
                        OptionalInt.of(4), Amounts.of(Map.of(World.GPU, 8L, "cpu", 128_000L)), 600_000))));
        world.node("n1", "h100", 8);
        Gang gang = world.submit(gang(world, "train", List.of(), ALL_CPUS));

        world.settle();
        assertThat(world.view(gang).charge()).describedAs("64 of 128 CPUs").isEqualTo(gpus(4));
    }

    @Test
    void podsWithoutGpusInAGangAreChargedWhatTheyMakeUnusableAndALittleIsFree() {
        World world = World.synced()
                .nodeClass("h100")
                .queue("vision", 32)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8);
        Gang gang = world.submit(gang(
                world,
                "mpi",
                List.of(),
                Amounts.of(Map.of("cpu", 1_000L, "pods", 1L)),
                Amounts.of(Map.of("cpu", 40_000L, "pods", 1L)),
                Amounts.of(Map.of(World.GPU, 8L, "cpu", 8_000L, "pods", 1L))));

        assertThat(World.admitted(world.settle())).containsExactly("mpi");
        assertThat(world.admission(gang).podsets().stream()
                        .map(podset -> podset.perMember().get(World.GPU)))
                .containsExactly(0L, 5L, 8L);
        assertThat(world.view(gang).charge()).isEqualTo(gpus(13));
    }

    @Test
    void aGangWithoutGpusComesToNodesWithGpusOnlyWhereItNamesTheClass() {
        World world = World.synced().nodeClass("h100").queue("vision", 32).node("n1", "h100", 8);
        Amounts cpus = Amounts.of(Map.of("cpu", 16_000L, "pods", 1L));
        Gang stray = world.submit(gang(world, "stray", List.of(), cpus));
        Gang named = world.submit(gang(world, "named", List.of("h100"), cpus));

        assertThat(World.admitted(world.settle())).containsExactly("named");
        assertThat(world.view(named).charge()).isEqualTo(gpus(2));
        assertThat(world.view(stray).waiting().reason()).isEqualTo(Reason.NO_NODE_FITS);
        assertThat(world.sentence(stray))
                .isEqualTo(
                        "It asks for no GPU and names no node class, and classes with GPUs (h100) take such gangs only"
                                + " when named.");
    }
}

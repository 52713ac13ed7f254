package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Gangs that only nodes which do not exist yet can serve. */
class CapacityTest {
    private static World growing(int maxNodes, long quota) {
        World world = World.synced().queue("vision", quota);
        world.engine.apply(new Event.ClassSeen(new NodeClass(
                "h100",
                Map.of("gpu", "h100"),
                null,
                List.of(),
                World.GPU,
                Map.of(),
                List.of(),
                new NodeClass.Scaling(
                        OptionalInt.of(maxNodes), Amounts.of(Map.of(World.GPU, 8L, "cpu", 64_000L)), 600_000))));
        return world;
    }

    private static int missing(World world) {
        return world.engine.views().nodeClasses().get(0).missingNodes();
    }

    @Test
    void aGangForAnEmptyClassThatCanGrowWaitsForNodesAndStartsWhenTheyJoin() {
        World world = growing(4, 64);
        Gang gang = world.submit("train", "vision", 2, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).waiting())
                .isEqualTo(new Waiting(
                        Reason.WAITING_FOR_CAPACITY,
                        "Node class h100 has 0 nodes and can hold it only with 2 more of 8 GPUs; a new node takes about"
                                + " 10m.",
                        "It starts when they have joined; the class grows to at most 4 nodes."));
        assertThat(world.engine.views().promises()).isEmpty();
        assertThat(missing(world)).isEqualTo(2);

        world.node("n1", "h100", 8);
        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(gang)).startsWith("Node class h100 has 1 node and can hold it only with 1 more");
        assertThat(missing(world)).isEqualTo(1);

        world.node("n2", "h100", 8);
        assertThat(World.admitted(world.settle())).containsExactly("train");
        assertThat(missing(world)).isZero();
    }

    @Test
    void whatTheDeclaredShapeOrTheLargestNumberOfNodesCannotHoldIsNeverRunnable() {
        World world = growing(4, 64);
        world.node("n1", "h100", 8);
        Gang wide = world.submit("wide", "vision", 5, 8);
        Gang tall = world.submit("tall", "vision", 1, 9);
        Gang fits = world.submit("fits", "vision", 4, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(wide).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.sentence(wide))
                .isEqualTo("It asks for 5 x 1 cpu + 8 GPUs; node class h100 has 1 nodes of at most 8 GPUs, grows to at"
                        + " most 4 nodes, and could not hold it even when empty.");
        assertThat(world.view(tall).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.view(fits).waiting().reason()).isEqualTo(Reason.WAITING_FOR_CAPACITY);
        assertThat(missing(world)).isEqualTo(3);
    }

    @Test
    void aGangThatExistingNodesCouldHoldWaitsForThemAndWantsNoNewOnes() {
        World world = growing(4, 64);
        world.node("n1", "h100", 8);
        world.submit("first", "vision", 1, 8);
        world.settle();
        Gang second = world.submit("second", "vision", 1, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(second).waiting().reason()).isEqualTo(Reason.NO_NODE_FITS);
        assertThat(world.engine.views().promises()).hasSize(1);
        assertThat(missing(world)).isZero();
    }

    @Test
    void wantedNodesAreSharedBySmallGangsAndBoundedByQuotaAndByTheLargestNumber() {
        World byQuota = growing(10, 20);
        for (int i = 0; i < 40; i++) {
            byQuota.submit("small" + i, "vision", 1, 2);
        }
        byQuota.settle();
        assertThat(missing(byQuota)).describedAs("20 GPUs of quota, gangs of 2").isEqualTo(3);

        World byNodes = growing(3, 64);
        byNodes.submit("large", "vision", 2, 8);
        byNodes.submit("larger", "vision", 2, 8);
        byNodes.submit("least", "vision", 1, 1);
        byNodes.settle();
        assertThat(missing(byNodes))
                .describedAs("2 for one, none for the next, 1 for the last")
                .isEqualTo(3);
    }

    @Test
    void nobodyIsPreemptedForAGangThatNodesCannotHoldYetAndNodesAreWantedThoughOthersAreOnItsQuota() {
        World other = growing(8, 0);
        other.queue("root", 0);
        other.child("vision", "root", 24).child("nlp", "root", 8);
        other.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang safe = other.submit(other.spot("safe", "nlp", 2, 8, 0));
        other.settle();
        other.run(safe);
        other.settle();
        other.now += 3_600_000;
        Gang huge = other.submit("huge", "vision", 3, 8);
        assertThat(other.settle()).isEmpty();
        assertThat(other.view(huge).waiting().reason()).isEqualTo(Reason.WAITING_FOR_CAPACITY);
        assertThat(missing(other)).isEqualTo(1);

        other.node("n3", "h100", 8);
        other.settle();
        assertThat(other.view(huge).waiting().reason()).isEqualTo(Reason.WAITING_FOR_VICTIMS);
    }

    @Test
    void aGangThatWaitedForNodesWhichOthersTookIsLookedAtAnewAndMayReserve() {
        World world = growing(2, 64);
        Gang wide = world.submit("wide", "vision", 2, 8);
        world.settle();
        world.node("n1", "h100", 8);
        world.submit("quick", "vision", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly("quick");
        world.node("n2", "h100", 8);
        world.settle();

        assertThat(world.view(wide).waiting().reason()).isEqualTo(Reason.NO_NODE_FITS);
        assertThat(world.engine.views().promises()).hasSize(1);
    }

    @Test
    void aPodThatNamesItsNodeOrALabelThatTheClassDeniesIsNoReasonToGrow() {
        World world = growing(4, 64);
        Queue queue = World.queueOf(
                "vision",
                null,
                List.of(new Queue.Quota("h100", World.GPU, 64, OptionalLong.empty(), OptionalLong.empty(), 0)));
        world.engine.apply(new Event.QueueSeen(queue));
        Gang plain = world.gang("named", "vision", 1, 8, 0);
        Gang named = new Gang(
                plain.uid(),
                plain.namespace(),
                plain.name(),
                "vision",
                0,
                false,
                plain.submittedAt(),
                List.of(new dev.muster.core.model.PodSet(
                        "main",
                        1,
                        1,
                        new dev.muster.core.model.PodShape(
                                plain.podsets().get(0).shape().requests(),
                                List.of(new dev.muster.core.model.NodeTerm(List.of(), List.of("n7"))),
                                List.of()),
                        true,
                        null)),
                List.of(),
                List.of(),
                OptionalLong.empty());
        world.submit(named);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(named).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(missing(world)).isZero();
    }
}

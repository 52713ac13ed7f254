package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PodFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What pods, and the traces they leave, do to the nodes and to the charge. */
class BookingsTest {
    private static PodFacts foreignPod(long gpus) {
        return new PodFacts(
                "foreign",
                "other",
                "x",
                "n1",
                Amounts.of(World.GPU, gpus),
                PodFacts.Phase.READY,
                false,
                true,
                null,
                World.POD_GRACE);
    }

    private static Gang running(World world, String name, int members) {
        Gang gang = world.submit(name, "vision", members, 8);
        world.settle();
        world.run(gang);
        world.settle();
        return gang;
    }

    private static void forceDelete(World world, Gang gang, int rank) {
        String uid = gang.uid() + "-main-" + rank;
        world.pods.remove(uid);
        world.engine.apply(new Event.PodDeleted(uid));
    }

    @Test
    void podsOfADeletedJobStayChargedUntilTheyAreGone() {
        World world = World.synced().nodeClass("h100").queue("vision", 8);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang gang = world.submit("orphaned", "vision", 1, 8);
        world.settle();
        world.run(gang);
        world.settle();
        world.engine.apply(new Event.GangDeleted(gang.uid()));
        Gang next = world.submit("next", "vision", 1, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(next))
                .isEqualTo("Queue vision uses 8 of its 8 h100 GPUs; this gang needs 8 and 0 are left.");

        world.putPod(world.member(gang, "main", 0, "n1", PodFacts.Phase.ENDED));
        assertThat(World.admitted(world.settle())).containsExactly("next");
    }

    @Test
    void bookingsFollowTheNodeAPodIsReallyOn() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang gang = world.submit("moved", "vision", 1, 8);
        world.settle();
        world.putPod(world.member(gang, "main", 0, "n2", PodFacts.Phase.READY));
        world.submit("next", "vision", 1, 8);

        world.settle();

        assertThat(world.admission(world.job("uid-next")).podsets().get(0).nodes())
                .containsExactly(new NodeSlots("n1", 1));
    }

    @Test
    void foreignPodsTakeRoomOnNodes() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("n1", "h100", 8);
        PodFacts foreign = foreignPod(1);
        world.putPod(foreign);
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        assertThat(world.sentence(gang))
                .isEqualTo("It needs 1 x 8 GPUs; 7 GPUs are free on the 1 usable nodes of class h100.");

        world.putPod(foreign.in(PodFacts.Phase.ENDED));
        world.engine.apply(new Event.PodDeleted("foreign"));
        assertThat(World.admitted(world.settle())).containsExactly("train");
    }

    @Test
    void gatedLeftoversOfAnAdmittedGangArePlacedOnce() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("n1", "h100", 8);
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        world.putPod(world.member(gang, "main", 0, null, PodFacts.Phase.PENDING));

        List<Action> actions = world.settle();

        assertThat(actions).singleElement().isInstanceOfSatisfying(Action.PlacePod.class, place -> {
            assertThat(place.gangUid()).isEqualTo(gang.uid());
            assertThat(place.admission()).isEqualTo(world.admission(gang));
        });
        assertThat(world.settle()).isEmpty();
    }

    @Test
    void aForceDeletedPodKeepsItsNodeAndItsChargeForItsGracePeriod() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang gone = running(world, "gone", 1);
        world.engine.apply(new Event.GangDeleted(gone.uid()));
        forceDelete(world, gone, 0);
        world.submit("next", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).isEmpty();
        assertThat(world.engine.cycle(world.now, 100).wakeAt())
                .as("the engine asks to be woken when the grace has passed")
                .isEqualTo(world.now + World.POD_GRACE);
        world.now += World.POD_GRACE - 1;
        assertThat(World.admitted(world.settle())).isEmpty();
        world.now += 1;
        assertThat(World.admitted(world.settle())).containsExactly("next");
    }

    @Test
    void aForceDeletedForeignPodKeepsItsNodeForItsGracePeriod() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        world.putPod(foreignPod(1));
        world.engine.apply(new Event.PodDeleted("foreign"));
        world.submit("next", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).isEmpty();
        world.now += World.POD_GRACE;
        assertThat(World.admitted(world.settle())).containsExactly("next");
    }

    @Test
    void aStoppedGangIsNotReleasedWhileAForceDeletedMemberMayStillRun() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang stopped = running(world, "stopped", 1);
        world.show(stopped.uid(), world.stoppedByHand(stopped));
        forceDelete(world, stopped, 0);
        world.report(stopped.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);

        assertThat(world.settle()).isEmpty();
        world.now += World.POD_GRACE;
        assertThat(world.settle()).hasAtLeastOneElementOfType(Action.Release.class);
    }

    @Test
    void theSlotOfAForceDeletedMemberIsNotBookedTwiceWhileItsReplacementIsToCome() {
        World world = World.synced().nodeClass("h100").queue("vision", 16).node("n1", "h100", 16);
        Gang gang = running(world, "train", 1);
        forceDelete(world, gang, 0);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).state()).isEqualTo(GangState.RUNNING);
        world.submit("next", "vision", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly("next");
    }

    @Test
    void aForceDeletedMemberAndItsReplacementElsewhereBothKeepTheirNodes() {
        World world = World.synced().nodeClass("h100").queue("vision", 64);
        world.node("n1", "h100", 8).node("n2", "h100", 8);
        Gang gang = running(world, "train", 1);
        forceDelete(world, gang, 0);
        world.putPod(world.member(gang, "main", 1, "n2", PodFacts.Phase.RUNNING));
        world.submit("next", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).isEmpty();
        world.now += World.POD_GRACE;
        assertThat(World.admitted(world.settle())).containsExactly("next");
        assertThat(world.admission(world.job("uid-next")).podsets().get(0).nodes())
                .containsExactly(new NodeSlots("n1", 1));
    }

    @Test
    void withItsNodeAForceDeletedPodIsGoneForGood() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang gone = running(world, "gone", 1);
        world.engine.apply(new Event.GangDeleted(gone.uid()));
        forceDelete(world, gone, 0);
        world.settle();

        world.engine.apply(new Event.NodeDeleted("n1"));
        world.node("n1", "h100", 8);
        world.submit("next", "vision", 1, 8);
        assertThat(World.admitted(world.settle())).containsExactly("next");
    }
}

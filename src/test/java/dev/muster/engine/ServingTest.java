package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Queue.Purpose;
import dev.muster.core.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Serving beside training: who gives way to whom, what is kept for scale-up, and which classes serve which purpose. */
class ServingTest {
    private static final long GRACE = 60_000;

    private final World world = World.synced();

    private void queue(String name, Purpose purpose, long nominal, long reserve) {
        queue(name, purpose, nominal, OptionalLong.empty(), reserve);
    }

    private void queue(String name, Purpose purpose, long nominal, OptionalLong borrowing, long reserve) {
        world.engine.apply(new Event.QueueSeen(new Queue(
                name,
                "org",
                name + "-lead",
                1,
                Set.of(),
                List.of(new Queue.Quota("h100", World.GPU, nominal, borrowing, OptionalLong.empty(), 0, reserve)),
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.ALLOW,
                Queue.Ordering.SLOWDOWN,
                purpose)));
    }

    private void nodeClass(NodeClass.Sharing sharing, Set<Purpose> purposes, String readyCondition) {
        world.engine.apply(new Event.ClassSeen(new NodeClass(
                "h100",
                Map.of("gpu", "h100"),
                null,
                List.of(),
                World.GPU,
                Map.of(),
                List.of(),
                null,
                sharing,
                purposes,
                readyCondition)));
    }

    private Gang running(Gang gang) {
        world.submit(gang);
        assertThat(World.admitted(world.settle())).containsExactly(gang.name());
        world.run(gang);
        world.settle();
        return gang;
    }

    private static List<String> told(List<Action> actions) {
        return actions.stream()
                .filter(Action.Notice.class::isInstance)
                .map(action -> action.target().name())
                .toList();
    }

    @Test
    void aServiceThatGrowsWithinItsNominalDoesNotWaitForTheProtectionOfBorrowers() {
        world.nodeClass("h100").child("org", null, 0).node("n1", "h100", 8);
        queue("chat", Purpose.SERVING, 8, 0);
        queue("train", Purpose.TRAINING, 0, 0);
        Gang borrower = running(world.spot("borrower", "train", 1, 8, 0));

        Gang replica = world.submit("replica", "chat", 1, 4);
        assertThat(told(world.settle())).as("at once").containsExactly("borrower");
        world.now += GRACE;
        world.settle();
        world.leave(borrower);
        List<Action> started = world.settle();
        assertThat(World.admitted(started)).contains("replica");
        Action.Admit admit = (Action.Admit) started.stream()
                .filter(action ->
                        action instanceof Action.Admit && action.target().name().equals("replica"))
                .findFirst()
                .orElseThrow();
        assertThat(admit.purpose()).isEqualTo(Purpose.SERVING);
        assertThat(admit.waited()).isBetween(GRACE, GRACE + 1_000);
        assertThat(world.view(replica).interruptible()).isFalse();
    }

    @Test
    void aServiceThatWasToldToBorrowWaitsForProtectionLikeAnybodyElse() {
        world.nodeClass("h100").child("org", null, 8).node("n1", "h100", 8);
        queue("chat", Purpose.SERVING, 0, OptionalLong.of(8), 0);
        queue("train", Purpose.TRAINING, 0, 0);
        running(world.spot("borrower", "train", 1, 8, 0));

        world.submit("replica", "chat", 1, 4);
        assertThat(told(world.settle())).isEmpty();
    }

    @Test
    void interruptibleWorkIsHeldInAServingQueueAndToldWhy() {
        world.nodeClass("h100").child("org", null, 0).node("n1", "h100", 8);
        queue("chat", Purpose.SERVING, 8, 0);
        Gang odd = world.submit(world.spot("odd", "chat", 1, 1, 0));

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(odd).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.sentence(odd))
                .isEqualTo("It is interruptible, and queue chat is for serving, where nothing is preempted.");
    }

    @Test
    void whatIsReservedForScaleUpIsUsedByInterruptibleWorkOnly() {
        // given two nodes of which one is lost: quota promises 16, nodes have 8
        world.nodeClass("h100").child("org", null, 0).node("n1", "h100", 8);
        queue("chat", Purpose.SERVING, 8, 4);
        queue("train", Purpose.TRAINING, 8, 0);

        Gang firm = world.submit("firm", "train", 1, 8);
        assertThat(World.admitted(world.settle())).isEmpty();
        assertThat(world.view(firm).waiting().reason()).isEqualTo(Reason.KEPT_FOR_SERVING);
        assertThat(world.sentence(firm))
                .isEqualTo(
                        "Of the GPUs of node class h100, 8 are not held by firm work, and serving queues (chat first)"
                                + " keep 4 of them for scale-up.");
        assertThat(World.admitted(submitted(world.gang("half", "train", 1, 4, 0))))
                .containsExactly("half");
        assertThat(World.admitted(submitted(world.spot("spot", "train", 1, 4, 0))))
                .containsExactly("spot");

        // when the second node comes back, then the firm one has room beside what is kept
        world.node("n2", "h100", 8);
        assertThat(World.admitted(world.settle())).isEmpty();
        world.finish(world.job("uid-half"));
        assertThat(World.admitted(world.settle())).containsExactly("firm");
    }

    private List<Action> submitted(Gang gang) {
        world.submit(gang);
        List<Action> actions = world.settle();
        if (!World.admitted(actions).isEmpty()) {
            world.run(gang);
            world.settle();
        }
        return actions;
    }

    @Test
    void theReserveMovesUpWithTheServiceAndEndsAtItsNominal() {
        world.nodeClass("h100").child("org", null, 0).node("n1", "h100", 8);
        queue("chat", Purpose.SERVING, 4, 4);
        queue("train", Purpose.TRAINING, 8, 0);
        running(world.gang("replica", "chat", 1, 3, 0));

        assertThat(World.admitted(submitted(world.gang("five", "train", 1, 5, 0))))
                .isEmpty();
        assertThat(World.admitted(submitted(world.gang("four", "train", 1, 4, 0))))
                .containsExactly("four");
    }

    @Test
    void aClassThatDoesNotServeThePurposeOfTheQueueIsNotUsed() {
        nodeClass(NodeClass.Sharing.EXCLUSIVE, Set.of(Purpose.SERVING), "");
        world.child("org", null, 0).node("n1", "h100", 8);
        queue("train", Purpose.TRAINING, 8, 0);
        Gang gang = world.submit("gang", "train", 1, 1);

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.REQUIREMENT_UNMET);
        assertThat(world.sentence(gang)).isEqualTo("Node class h100 does not serve what queue train is for.");

        nodeClass(NodeClass.Sharing.EXCLUSIVE, Set.of(Purpose.SERVING, Purpose.TRAINING), "");
        assertThat(World.admitted(world.settle())).containsExactly("gang");
    }

    @Test
    void c40_moreThanOneSharedUnitIsNeverGiven_AndTheCureIsSaid() {
        nodeClass(NodeClass.Sharing.TIME_SLICE, Set.of(), "");
        world.child("org", null, 0).node("n1", "h100", 4);
        queue("train", Purpose.TRAINING, 4, 0);
        Gang two = world.submit("two", "train", 1, 2);
        Gang pair = world.submit("pair", "train", 2, 1);

        assertThat(World.admitted(world.settle())).containsExactly("pair");
        assertThat(world.view(two).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
        assertThat(world.view(two).waiting().help())
                .isEqualTo("Ask for 1 for each member, or name a class of whole GPUs in muster.dev/node-classes.");
        assertThat(world.engine
                        .views()
                        .assess(world.gang("three", "train", 1, 3, 0))
                        .never())
                .as("the door refuses it")
                .isNotNull();
        assertThat(world.view(pair).admission()).isNotNull();
    }

    @Test
    void c41_aNodeWhoseMpsDaemonIsDownTakesNobody_AndItsCapacityDoesNotCount() {
        nodeClass(NodeClass.Sharing.MPS, Set.of(), "MpsDaemonReady");
        world.child("org", null, 0);
        queue("train", Purpose.TRAINING, 10, 0);
        NodeFacts down = World.nodeFacts("n1", "h100", 10);
        world.engine.apply(new Event.NodeSeen(down));
        Gang gang = world.submit("gang", "train", 1, 1);

        assertThat(world.settle()).isEmpty();
        assertThat(world.engine.views().nodeClasses().get(0).readyNodes()).isZero();
        assertThat(world.view(gang).waiting().reason()).isEqualTo(Reason.NO_NODE_FITS);

        world.now += 600_000;
        assertThat(world.settle()).isEmpty();
        world.engine.apply(new Event.NodeSeen(new NodeFacts(
                down.name(), down.labels(), down.taints(), down.allocatable(), true, false, Set.of("MpsDaemonReady"))));
        assertThat(World.admitted(world.settle())).containsExactly("gang");
    }
}

package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods that got past their gate without a decision: what they take of quota and nodes, and what is said of them. */
class OverriddenTest {
    private static final Waiting OVERRIDDEN = new Waiting(Reason.OVERRIDDEN, "somebody else took the gate away", "");

    @Test
    void aPodThatGotPastItsGateIsChargedToItsQueueInTheClassOfItsNode_AndShownWithThatReason() {
        // given a queue of 8 GPUs, and a pod with 4 that nobody admitted
        World world = World.synced()
                .nodeClass("h100")
                .queue("vision", 8)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8);
        Gang stray = world.gang("stray", "vision", 1, 4, 0);
        world.engine.apply(blocked(stray));
        world.engine.apply(new Event.PodSeen(pod(stray, "n1", PodFacts.Phase.RUNNING)));
        // when another asks for 8
        Gang next = world.submit("next", "vision", 1, 8);
        assertThat(World.admitted(world.settle())).isEmpty();
        // then quota is missing, and the stray pod says what it is
        assertThat(world.view(next).waiting().reason()).isEqualTo(Reason.QUOTA_EXHAUSTED);
        assertThat(world.used("vision")).isEqualTo(4);
        assertThat(world.view(stray).waiting()).isEqualTo(OVERRIDDEN);
        // and when it has ended, the other starts
        world.engine.apply(new Event.PodSeen(pod(stray, "n1", PodFacts.Phase.ENDED)));
        assertThat(World.admitted(world.settle())).containsExactly("next");
        assertThat(world.used("vision")).isEqualTo(8);
    }

    @Test
    void onANodeOfNoClassItIsChargedNothing() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "other", 8);
        Gang stray = world.gang("stray", "vision", 1, 4, 0);
        world.engine.apply(blocked(stray));
        world.engine.apply(new Event.PodSeen(pod(stray, "n1", PodFacts.Phase.RUNNING)));
        world.settle();

        assertThat(world.used("vision")).isZero();
    }

    private static Event blocked(Gang gang) {
        GangStatus status = new GangStatus(
                "5", false, Acknowledged.YES, 1, 0, Map.of(), End.NOT_YET, null, null, "", GangMarks.NONE);
        return new Event.GangBlocked(
                gang.uid(), gang.namespace(), gang.name(), gang.queue(), gang.submittedAt(), status, OVERRIDDEN);
    }

    private static PodFacts pod(Gang gang, String node, PodFacts.Phase phase) {
        return new PodFacts(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                node,
                Amounts.of(World.GPU, 4),
                phase,
                false,
                true,
                new PodFacts.Membership(gang.uid(), "main", gang.queue(), ""),
                World.POD_GRACE);
    }
}

package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gangs that are moved because a gang that has quota finds no place. */
class RelocationTest {
    private static final long PAST_PROTECTION = 600_000;
    private static final long GRACE = 60_000;

    private World world = new World();
    private Gang small = world.gang("none", "none", 1, 1, 0);

    /** Three nodes of 8 with 4, 3 and 4 GPUs free: enough quota for 8 more, and no node for them. */
    @BeforeEach
    void scattered() {
        world = World.synced()
                .nodeClass("h100")
                .queue("vision", 24)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8)
                .node("n3", "h100", 8);
        running(world.gang("firm", "vision", 1, 4, 0));
        Gang first = running(world.gang("first", "vision", 1, 4, 0));
        small = running(world.spot("small", "vision", 1, 4, 0));
        Gang second = running(world.gang("second", "vision", 1, 4, 0));
        Gang medium = running(world.spot("medium", "vision", 1, 5, 0));
        world.finish(first);
        world.finish(second);
        world.settle();
        assertThat(List.of(nodeOf(small), nodeOf(medium))).containsExactly("n3", "n2");
    }

    private Gang running(Gang gang) {
        world.submit(gang);
        assertThat(World.admitted(world.settle())).containsExactly(gang.name());
        world.run(gang);
        world.settle();
        return gang;
    }

    private String nodeOf(Gang gang) {
        return world.admission(gang).podsets().get(0).nodes().get(0).node();
    }

    private static List<String> of(List<Action> actions, Class<? extends Action> kind) {
        return actions.stream()
                .filter(kind::isInstance)
                .map(action -> action.target().name())
                .toList();
    }

    @Test
    void whereOnlyPlaceIsMissingAGangIsMovedAndBothRun() {
        Gang large = world.submit("large", "vision", 1, 8);
        assertThat(world.settle()).as("nobody moves while protected").isEmpty();
        assertThat(world.view(large).waiting().reason()).isEqualTo(Reason.FRAGMENTED);

        world.now += PAST_PROTECTION;
        List<Action> told = world.settle();
        assertThat(of(told, Action.MakeClaim.class)).containsExactly("large");
        assertThat(of(told, Action.Notice.class)).containsExactly("small");
        assertThat(world.sentence(large)).contains("moving team/small");

        world.now += GRACE;
        world.settle();
        world.leave(small);
        assertThat(World.admitted(world.settle())).containsExactlyInAnyOrder("large", "small");
        assertThat(nodeOf(large)).isEqualTo("n3");
        assertThat(nodeOf(small)).isEqualTo("n1");
    }

    @Test
    void whatIsToldToMoveKeepsItsQuotaAndItsNewPlaceMeanwhile() {
        world.submit("large", "vision", 1, 8);
        world.now += PAST_PROTECTION;
        world.settle();
        Gang newcomer = world.submit("newcomer", "vision", 1, 4);

        assertThat(World.admitted(world.settle())).as("n1 is kept for small").isEmpty();
        world.now += GRACE;
        world.settle();
        assertThat(World.admitted(world.settle())).isEmpty();
        world.leave(small);
        assertThat(World.admitted(world.settle())).containsExactlyInAnyOrder("large", "small");
        assertThat(world.view(newcomer).state()).isEqualTo(GangState.WAITING);
    }

    @Test
    void aMoveGoesOnAfterARestartAtAnyOfItsSteps() {
        world.submit("large", "vision", 1, 8);
        world.now += PAST_PROTECTION;
        Plan claimed = world.engine.cycle(world.now, 100);
        claimed.actions().forEach(world::accept);
        assertThat(of(claimed.actions(), Action.MakeClaim.class)).containsExactly("large");

        World second = world.restarted();
        assertThat(of(second.settle(), Action.Notice.class)).containsExactly("small");
        second.now += GRACE;
        World third = second.restarted();
        assertThat(of(third.settle(), Action.Stop.class)).containsExactly("small");
        third.leave(small);
        World fourth = third.restarted();
        fourth.settle();
        fourth.now += GRACE; // it was not seen to take the admission up, so its stop is given time
        assertThat(World.admitted(fourth.settle())).containsExactlyInAnyOrder("large", "small");
        assertThat(fourth.admission(small).podsets().get(0).nodes().get(0).node())
                .isEqualTo("n1");
    }

    @Test
    void whoWasNotToldYetStaysWhenTheGangIsWithdrawn() {
        Gang large = world.submit("large", "vision", 1, 8);
        world.now += PAST_PROTECTION;
        Plan claimed = world.engine.cycle(world.now, 100);
        claimed.actions().forEach(world::accept);
        world.jobs.remove(large.uid());
        world.engine.apply(new Event.GangDeleted(large.uid()));

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(small).state()).isEqualTo(GangState.RUNNING);
        running(world.gang("another", "vision", 1, 4, 0));
    }

    @Test
    void aMovedGangThatFindsItsNewPlaceGoneWaitsLikeAnyOther() {
        world.submit("large", "vision", 1, 8);
        world.now += PAST_PROTECTION;
        world.settle();
        world.engine.apply(new Event.NodeDeleted("n1"));
        world.now += GRACE;
        world.settle();
        world.leave(small);

        assertThat(World.admitted(world.settle())).containsExactly("large");
        world.now += 3 * GRACE;
        assertThat(of(world.settle(), Action.DropClaim.class)).containsExactly("small");
        assertThat(world.view(small).state()).isEqualTo(GangState.WAITING);
        assertThat(world.view(small).waiting().reason()).isNotEqualTo(Reason.WAITING_FOR_VICTIMS);
    }

    @Test
    void firmGangsAreNotMoved() {
        World firm = World.synced()
                .nodeClass("h100")
                .queue("vision", 16)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8);
        for (String name : List.of("a", "b", "c", "d")) {
            Gang gang = firm.submit(name, "vision", 1, name.equals("a") || name.equals("c") ? 5 : 3);
            firm.settle();
            firm.run(gang);
            firm.settle();
        }
        firm.finish(firm.job("uid-b"));
        firm.finish(firm.job("uid-d"));
        firm.settle();
        firm.submit("large", "vision", 1, 6);
        firm.now += PAST_PROTECTION;

        assertThat(firm.settle()).isEmpty();
    }
}

package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known for sure, and what is not: writes without an answer, jobs that change under a write, gangs that rest. */
class DoubtTest {
    private static final long TEN_MINUTES = 600_000;

    private static World oneNode() {
        return World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
    }

    @Test
    void thePlaceOfAnAdmissionThatMayHaveBeenStoredIsKeptUntilTheSameWriteIsAnswered() {
        World world = oneNode();
        Gang first = world.submit("first", "vision", 1, 8);
        Action write = world.engine.cycle(world.now, 100).actions().get(0);
        world.submit("second", "vision", 1, 8);
        world.engine.apply(new Event.WriteRefused(first.uid(), Event.Refusal.UNKNOWN, "no answer", world.now));

        assertThat(world.engine.cycle(world.now, 100).actions())
                .as("nobody gets its place")
                .isEmpty();
        world.now += 1_000;
        assertThat(world.engine.cycle(world.now, 100).actions()).containsExactly(write);
    }

    @Test
    void anAdmissionInDoubtIsGivenUpWhenItsJobHasChangedWithoutIt() {
        World world = oneNode();
        Gang first = world.submit("first", "vision", 1, 8);
        world.engine.cycle(world.now, 100);
        world.engine.apply(new Event.WriteRefused(first.uid(), Event.Refusal.UNKNOWN, "no answer", world.now));
        world.report(first.uid(), Acknowledged.NO, 0, 0, End.NOT_YET);
        world.submit("second", "vision", 1, 8);

        assertThat(World.admitted(world.settle())).containsExactly("second");
    }

    @Test
    void aJobThatIsBeingDeletedIsNeverStarted() {
        World world = oneNode();
        world.report(world.submit("leaving", "vision", 1, 8).uid(), Acknowledged.NO, 0, 0, End.LEAVING);

        assertThat(world.settle()).isEmpty();
    }

    @Test
    void aGangWhoseJobBecomesUnreadableKeepsWhatItWasAdmittedWith() {
        World world = oneNode();
        Gang gang = world.submit("train", "vision", 1, 8);
        world.settle();
        world.engine.apply(Event.unreadable(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                gang.queue(),
                gang.submittedAt(),
                world.statuses.get(gang.uid()),
                "odd"));
        world.submit("next", "vision", 1, 8);

        assertThat(world.settle()).isEmpty();
        assertThat(world.used("vision")).isEqualTo(8);

        World restarted = new World();
        restarted.nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        restarted.engine.apply(Event.unreadable(
                gang.uid(),
                gang.namespace(),
                gang.name(),
                gang.queue(),
                gang.submittedAt(),
                world.statuses.get(gang.uid()),
                "odd"));
        restarted.engine.apply(new Event.Synced(World.FENCE));
        restarted.submit("next", "vision", 1, 8);
        assertThat(restarted.settle()).isEmpty();
        assertThat(restarted
                        .engine
                        .views()
                        .queue("vision")
                        .orElseThrow()
                        .quotas()
                        .get(0)
                        .used())
                .isEqualTo(8);
    }

    @Test
    void aClaimantWhoseStartWasRefusedRestsBeforeItIsTriedAgain() {
        World world = oneNode();
        Gang low = world.spot("low", "vision", 1, 8, 0);
        world.submit(low);
        world.settle();
        world.run(low);
        world.settle();
        world.now += TEN_MINUTES;
        Gang urgent = world.submit(world.gang("urgent", "vision", 1, 8, 5));
        world.settle();
        world.now += 60_000;
        world.settle();
        world.leave(low);
        world.engine.cycle(world.now, 100).actions().stream()
                .filter(Action.Release.class::isInstance)
                .forEach(world::accept);
        assertThat(World.admitted(world.engine.cycle(world.now, 100).actions())).containsExactly("urgent");
        world.engine.apply(new Event.WriteRefused(urgent.uid(), Event.Refusal.REFUSED, "no", world.now));

        List<Action> atOnce = world.settle();
        assertThat(World.admitted(atOnce)).isEmpty();
        world.now += 1_000;
        assertThat(World.admitted(world.settle())).containsExactly("urgent");
    }

    @Test
    void aVictimOfAClaimThatEndsStaysAlthoughAnotherWriteIsUnderWay() {
        World world = oneNode();
        Gang low = world.spot("low", "vision", 1, 8, 0);
        world.submit(low);
        world.settle();
        world.now += TEN_MINUTES;
        Gang urgent = world.submit(world.gang("urgent", "vision", 1, 8, 5));
        Plan plan = world.engine.cycle(world.now, 100);
        assertThat(plan.actions()).singleElement().isInstanceOf(Action.MakeClaim.class);
        world.engine.apply(new Event.GangDeleted(urgent.uid()));
        world.run(low);

        world.settle();
        assertThat(world.view(low).state()).isEqualTo(GangState.RUNNING);
    }
}

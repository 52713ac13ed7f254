package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreemptionTest {
    private static final long TEN_MINUTES = 600_000;
    private static final long GRACE = 60_000;

    /** A root over two teams; each owns 8 of the 16 GPUs on two nodes. */
    private static World twoTeams() {
        return World.synced()
                .nodeClass("h100")
                .child("org", null, 0)
                .child("vision", "org", 8)
                .child("nlp", "org", 8)
                .node("n1", "h100", 8)
                .node("n2", "h100", 8);
    }

    private static List<String> named(List<Action> actions, Class<? extends Action> kind) {
        return actions.stream()
                .filter(kind::isInstance)
                .map(action -> action.target().name())
                .toList();
    }

    private static void start(World world, Gang gang) {
        world.submit(gang);
        assertThat(World.admitted(world.settle())).contains(gang.name());
        world.run(gang);
        world.settle();
    }

    @Test
    void interruptibleWorkBorrowsIdleQuotaAndFirmWorkDoesNot() {
        World world = twoTeams();
        world.submit(world.gang("firm", "vision", 2, 8, 0));
        world.submit(world.spot("spot", "vision", 2, 8, 0));

        assertThat(World.admitted(world.settle())).containsExactly("spot");
        assertThat(world.view(world.job("uid-firm")).waiting().reason()).isEqualTo(Reason.NEVER_RUNNABLE);
    }

    @Test
    void aTeamBelowItsNominalGetsItBackAfterProtectionAndGrace() {
        World world = twoTeams();
        Gang borrower = world.spot("borrower", "vision", 1, 8, 0);
        Gang own = world.spot("own", "vision", 1, 8, 0);
        start(world, own);
        start(world, borrower);
        Gang owner = world.submit("owner", "nlp", 1, 8);

        assertThat(world.settle()).as("both are protected").isEmpty();
        world.now += TEN_MINUTES;
        List<Action> actions = world.settle();
        assertThat(named(actions, Action.MakeClaim.class)).containsExactly("owner");
        assertThat(named(actions, Action.Notice.class)).hasSize(1);
        Gang victim = world.job("uid-" + named(actions, Action.Notice.class).get(0));
        assertThat(world.view(owner).waiting().reason()).isEqualTo(Reason.WAITING_FOR_VICTIMS);
        assertThat(world.view(victim).state()).isEqualTo(GangState.STOPPING);

        world.now += GRACE;
        assertThat(named(world.settle(), Action.Stop.class)).containsExactly(victim.name());
        assertThat(World.admitted(world.settle())).isEmpty();
        world.leave(victim);
        assertThat(World.admitted(world.settle())).containsExactly("owner");
        assertThat(world.view(victim).state()).isEqualTo(GangState.WAITING);
        assertThat(world.statuses.get(victim.uid()).marks().past().evictions()).hasSize(1);
    }

    @Test
    void firmWorkIsNeverPreempted() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        start(world, world.gang("firm", "vision", 1, 8, 0));
        world.submit(world.gang("urgent", "vision", 1, 8, 100));
        world.now += 10 * TEN_MINUTES;

        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(world.job("uid-urgent")))
                .startsWith("Queue vision uses 8 of its 8 h100 GPUs; this gang needs 8 and 0 are left.");
    }

    @Test
    void inOneQueueHigherPriorityPreemptsLowerInterruptibleWork() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang low = world.spot("low", "vision", 1, 8, 0);
        start(world, low);
        world.now += TEN_MINUTES;
        world.submit(world.gang("urgent", "vision", 1, 8, 5));

        assertThat(named(world.settle(), Action.Notice.class)).containsExactly("low");
    }

    @Test
    void c01_nobodyIsEvictedUnlessTheFreedSetGivesARealPlace() {
        World world = World.synced().nodeClass("h100").queue("team", 32);
        for (int i = 1; i <= 4; i++) {
            world.node("n" + i, "h100", 8);
        }
        for (int i = 1; i <= 4; i++) {
            start(world, world.gang("high" + i, "team", 1, 6, 10));
            start(world, world.spot("low-a" + i, "team", 1, 1, 0));
            start(world, world.spot("low-b" + i, "team", 1, 1, 0));
        }
        world.now += TEN_MINUTES;
        Gang big = world.submit(world.gang("big", "team", 1, 8, 10));
        assertThat(world.settle()).isEmpty();
        assertThat(world.sentence(big))
                .isEqualTo(
                        "Even without the 8 gangs that it may preempt: It needs 1 x 8 GPUs; 8 GPUs are free in class h100,"
                                + " but only 0 of its 1 members find 8 on one node.");

        world.submit(world.gang("small", "team", 1, 1, 10));
        assertThat(named(world.settle(), Action.MakeClaim.class)).containsExactly("small");
    }

    @Test
    void c07_aWaitingHeadOfTheLenderDoesNotKeepItsIdleQuotaFromABorrower() {
        World world = World.synced()
                .nodeClass("h100")
                .child("org", null, 0)
                .child("own", "org", 200)
                .child("free", "org", 0);
        for (int i = 0; i < 25; i++) {
            world.node("n" + (10 + i), "h100", 8);
        }
        start(world, world.gang("first", "own", 25, 4, 0));
        Gang head = world.submit(world.gang("head", "own", 25, 8, 0));
        world.submit(world.spot("borrower", "free", 25, 4, 0));

        assertThat(World.admitted(world.settle())).containsExactly("borrower");
        world.run(world.job("uid-borrower"));
        world.now += TEN_MINUTES;
        world.finish(world.job("uid-first"));
        assertThat(named(world.settle(), Action.Notice.class)).containsExactly("borrower");
        assertThat(world.view(head).waiting().reason()).isEqualTo(Reason.WAITING_FOR_VICTIMS);
    }

    @Test
    void c09_whatWasFreedForAPreemptorIsKeptForItAndEachVictimGoesOnce() {
        World world = World.synced()
                .nodeClass("h100")
                .child("org", null, 0)
                .child("q1", "org", 4)
                .child("q2", "org", 0)
                .node("n1", "h100", 4);
        Gang a = world.spot("a", "q2", 1, 2, 0);
        Gang b = world.spot("b", "q2", 1, 2, 0);
        start(world, a);
        start(world, b);
        world.now += TEN_MINUTES;
        world.submit("p", "q1", 1, 4);
        assertThat(named(world.settle(), Action.Notice.class)).containsExactlyInAnyOrder("a", "b");
        world.now += GRACE;
        assertThat(named(world.settle(), Action.Stop.class)).containsExactlyInAnyOrder("a", "b");

        world.leave(a);
        world.submit(world.spot("c", "q2", 1, 1, 0));
        assertThat(World.admitted(world.settle())).as("a and c may not slip in").isEmpty();
        world.now += 60_000;
        world.leave(b);
        assertThat(World.admitted(world.settle())).containsExactly("p");
        assertThat(world.statuses.get(a.uid()).marks().past().evictions()).hasSize(1);
        assertThat(world.statuses.get(b.uid()).marks().past().evictions()).hasSize(1);
    }

    @Test
    void aClaimEndsWithItsJobAndAVictimThatWasNotToldYetStays() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang low = world.spot("low", "vision", 1, 8, 0);
        start(world, low);
        world.now += TEN_MINUTES;
        Gang urgent = world.submit(world.gang("urgent", "vision", 1, 8, 5));
        Plan plan = world.engine.cycle(world.now, 100);
        assertThat(named(plan.actions(), Action.MakeClaim.class)).containsExactly("urgent");

        world.engine.apply(new Event.GangDeleted(urgent.uid()));

        assertThat(world.settle()).isEmpty();
        assertThat(world.view(low).state()).isEqualTo(GangState.RUNNING);
    }

    @Test
    void aClaimAndItsStopsGoOnAfterARestart() {
        World world = World.synced().nodeClass("h100").queue("vision", 8).node("n1", "h100", 8);
        Gang low = world.spot("low", "vision", 1, 8, 0);
        start(world, low);
        world.now += TEN_MINUTES;
        Gang urgent = world.submit(world.gang("urgent", "vision", 1, 8, 5));
        world.accept(world.engine.cycle(world.now, 100).actions().get(0));

        World restarted = world.restarted();

        assertThat(named(restarted.settle(), Action.Notice.class)).containsExactly("low");
        assertThat(restarted.view(urgent).waiting().reason()).isEqualTo(Reason.WAITING_FOR_VICTIMS);
        restarted.now += GRACE;
        restarted.settle();
        restarted.leave(low);
        assertThat(World.admitted(restarted.settle())).containsExactly("urgent");
    }

    @Test
    void c11_weightZeroNeverComesBeforeAnybodyWhoWantsTheSlot() {
        World world = World.synced().nodeClass("h100").child("org", null, 8).node("n1", "h100", 8);
        world.weighted("z", "org", 0, 0).weighted("a", "org", 0, 1);
        world.submit(world.spot("of-z", "z", 1, 8, 0));
        world.submit(world.spot("of-a", "a", 1, 8, 0));

        assertThat(World.admitted(world.settle())).containsExactly("of-a");
    }

    @Test
    void c13_jobsForAnotherClassStartAtOnceThoughTheHeadOfTheQueueIsBlocked() {
        World world = World.synced()
                .nodeClass("big")
                .nodeClass("small")
                .queue("q", java.util.Map.of("big", 16L, "small", 40L))
                .node("b1", "big", 8)
                .node("b2", "big", 8);
        for (int i = 1; i <= 5; i++) {
            world.node("s" + i, "small", 8);
        }
        start(world, world.wishing("full", "q", 2, 8, "big"));
        world.submit(world.wishing("g", "q", 1, 8, "big"));
        world.submit(world.wishing("s-1", "q", 1, 2, "small"));
        world.submit(world.wishing("s-2", "q", 1, 2, "small"));

        assertThat(World.admitted(world.settle())).containsExactly("s-1", "s-2");
    }

    @Test
    void c15_missingCapacityIsNotAFaultOfTheJobAndItStartsWhenANodeJoins() {
        World world = World.synced().nodeClass("h100").queue("q", 8);
        Gang gang = world.submit("j", "q", 1, 8);
        for (int i = 0; i < 3; i++) {
            world.now += TEN_MINUTES;
            assertThat(world.settle()).isEmpty();
        }
        assertThat(world.sentence(gang)).isEqualTo("Node class h100 has no nodes now.");

        world.node("n1", "h100", 8);
        assertThat(World.admitted(world.settle())).containsExactly("j");
    }

    @Test
    void shortGangsDoNotWaitForLongOnesOfTheSamePriority() {
        World world = World.synced().nodeClass("h100").queue("q", 8).node("n1", "h100", 8);
        start(world, world.gang("running", "q", 1, 8, 0));
        world.submit(world.bounded("long", "q", 1, 8, 10 * 3_600_000L));
        world.submit(world.bounded("short", "q", 1, 8, 60_000L));
        world.now += TEN_MINUTES;
        world.finish(world.job("uid-running"));

        assertThat(World.admitted(world.settle())).containsExactly("short");
    }
}

package dev.muster.core.decide.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Side;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Dimensions;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes n1, n2 ... of 8 GPUs; queues "a" and "b" below "root"; times are plain numbers. */
class ProfileTest {
    private static final String GPU = "nvidia.com/gpu";

    private final Fleet fleet = new Fleet();
    private final Departures departures = new Departures();
    private final Map<String, Stake> stakes = new HashMap<>();
    private final List<Reservation> reservations = new ArrayList<>();
    private Standing standing = new Standing(tree(0, 64));
    private long now;

    ProfileTest() {
        fleet.put(new NodeClass("h100", Map.of("gpu", "h100"), null, List.of(), GPU, Map.of(), List.of(), null));
    }

    private static QuotaTree tree(long a, long b) {
        List<Queue> queues = List.of(queue("root", null, 0), queue("a", "root", a), queue("b", "root", b));
        return QuotaTree.of(queues, Dimensions.of(List.of("h100"), List.of(GPU)));
    }

    private static Queue queue(String name, @Nullable String parent, long nominal) {
        Queue.Quota quota = new Queue.Quota("h100", GPU, nominal, OptionalLong.empty(), OptionalLong.empty(), 0);
        return new Queue(
                name,
                parent,
                "lead",
                1,
                Set.of(),
                List.of(quota),
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.ALLOW);
    }

    private void nodes(int count) {
        for (int i = 1; i <= count; i++) {
            fleet.put(new NodeFacts(
                    "n" + i, Map.of("gpu", "h100"), List.of(), Amounts.of(Map.of(GPU, 8L, "pods", 110L)), true, false));
        }
    }

    private Stake stake(String uid, String queue, long gpus) {
        int slot = stakes.size() + 1;
        return new Stake(slot, uid, standing.tree().indexOf(queue), Charge.of(gpus), false, 0, gpus, Stake.CANDIDATE);
    }

    private void run(String uid, String node, long gpus, long end) {
        long[] vector = fleet.resources().vector(Amounts.of(GPU, gpus));
        fleet.book(Side.HELD, node, vector, 1);
        fleet.book(Side.COMMITTED, node, vector, 1);
        departures.put(new Occupant(uid, now, end, true, Map.of(node, vector), Map.of(node, vector)));
        Stake stake = stake(uid, "b", gpus);
        stakes.put(uid, stake);
        standing.commit(stake);
    }

    private void ends(String uid, String node, long gpus) {
        long[] vector = fleet.resources().vector(Amounts.of(GPU, gpus));
        fleet.book(Side.HELD, node, vector, -1);
        fleet.book(Side.COMMITTED, node, vector, -1);
        departures.remove(uid);
        standing.release(stakes.get(uid));
        stakes.remove(uid);
    }

    private Wish wish(String uid, String queue, int members, long gpus, long length) {
        PodShape shape = new PodShape(Amounts.of(Map.of(GPU, gpus, "pods", 1L)), List.of(), List.of());
        return new Wish(
                uid,
                List.of(new PodSet("main", members, members, shape, true, null)),
                false,
                stake(uid, queue, members * gpus),
                length);
    }

    private Profile profile() {
        return new Profile(fleet, standing, stakes::get, "h100", departures, reservations, now);
    }

    private Reservation reserve(Wish wish) {
        Reservation planned = profile().earliest(wish, Reservation.NEVER);
        assertThat(planned).as("a plan for " + wish.uid()).isNotNull();
        reservations.add(planned);
        return planned;
    }

    private boolean mayStart(String queue, long gpus, long until) {
        Profile profile = profile();
        return dev.muster.core.fleet.Placer.find(
                                fleet,
                                dev.muster.core.fleet.View.NOW,
                                "h100",
                                wish("j", queue, 1, gpus, until - now).podsets(),
                                false,
                                profile.kept(List.of("j"), until))
                        instanceof dev.muster.core.fleet.Finding.Place
                && profile.leavesQuota(stake("j", queue, gpus), List.of("j"), until);
    }

    @Test
    void theTimeIsPromisedAndNotTheStartThatLuckWouldHaveAllowed() {
        // given R, which needs both nodes; X and Y on them are bound to end at 10
        nodes(2);
        run("x", "n1", 8, 10);
        run("y", "n2", 8, 10);
        assertThat(reserve(wish("r", "b", 2, 8, 10)).at()).isEqualTo(10);

        // when Y ends at 0
        ends("y", "n2", 8);

        // then a gang bound to end at 10 may take its node, one bound to end later may not, and R still starts at 10
        assertThat(mayStart("b", 8, 10)).isTrue();
        assertThat(mayStart("b", 8, 11)).isFalse();
        assertThat(profile().keeps(reservations.get(0))).isTrue();
    }

    @Test
    void aGangThatRunsBeyondTheTimeMayUseWhatThePlaceDoesNotNeed() {
        // given R, which needs n1 whole at 10 while n2 is free, and a half-used n3
        nodes(3);
        run("x", "n1", 8, 10);
        run("y", "n2", 8, 20);
        run("z", "n3", 4, 30);
        assertThat(reserve(wish("r", "b", 1, 8, 10)).bookings()).containsOnlyKeys("n1");

        // then the free half of n3 is open to everybody for ever
        assertThat(mayStart("b", 4, Long.MAX_VALUE)).isTrue();
        assertThat(mayStart("b", 5, 5)).isFalse();
    }

    @Test
    void aLaterRankIsPlannedAroundTheEarlierOnes() {
        // given R1 on both nodes from 10 to 20
        nodes(2);
        run("x", "n1", 8, 10);
        run("y", "n2", 8, 6);
        assertThat(reserve(wish("r1", "b", 2, 8, 10)).at()).isEqualTo(10);

        // then a short gang fits before it on n2, and a longer one only after it
        assertThat(reserve(wish("r2", "b", 1, 8, 4)).at()).isEqualTo(6);
        assertThat(reserve(wish("r3", "b", 1, 8, 5)).at()).isEqualTo(20);
    }

    @Test
    void aPlanIsImpossibleOnceAnEndMovesBeyondItsTimeOrItsNodeIsLost() {
        nodes(2);
        run("x", "n1", 8, 10);
        run("y", "n2", 8, 50);
        Reservation held = reserve(wish("r", "b", 1, 8, 5));
        assertThat(profile().keeps(held)).isTrue();

        // when x overruns
        long[] vector = fleet.resources().vector(Amounts.of(GPU, 8));
        departures.put(new Occupant("x", 0, 30, true, Map.of("n1", vector), Map.of("n1", vector)));
        assertThat(profile().keeps(held)).isFalse();
        assertThat(profile()
                        .with(List.of())
                        .earliest(held.wish(), Reservation.NEVER)
                        .at())
                .isEqualTo(30);

        // when its node is lost
        fleet.remove("n1");
        assertThat(profile()
                        .with(List.of())
                        .earliest(held.wish(), Reservation.NEVER)
                        .at())
                .isEqualTo(50);
    }

    @Test
    void noTimeIsKnownWhileSomebodyWithoutABoundIsInTheWay() {
        nodes(2);
        run("x", "n1", 8, Long.MAX_VALUE);
        run("y", "n2", 8, 10);

        assertThat(profile().earliest(wish("r", "b", 2, 8, 5), Reservation.NEVER))
                .isNull();
        assertThat(profile()
                        .earliest(wish("r", "b", 1, 8, 5), Reservation.NEVER)
                        .at())
                .isEqualTo(10);
        assertThat(profile().earliest(wish("r", "b", 1, 8, 5), 10))
                .as("only what is earlier")
                .isNull();
    }

    @Test
    void reservedQuotaBindsGangsOnSurplusAndNobodysNominal() {
        // given 3 nodes, 16 GPUs of quota for a and 8 for b, and b's reservation of 16 at 10: 8 of them borrowed
        nodes(3);
        standing = new Standing(tree(16, 8));
        run("x", "n1", 8, 10);
        run("y", "n2", 8, 10);
        reserve(wish("r", "b", 2, 8, 100));

        // then a may use its own 16 beyond 10 as far as quota goes, and b, which would live on surplus, may not
        assertThat(profile().leavesQuota(stake("j", "a", 8), List.of("j"), 50)).isTrue();
        assertThat(profile().leavesQuota(stake("j", "b", 9), List.of("j"), 50)).isFalse();
        assertThat(profile().leavesQuota(stake("j", "b", 8), List.of("j"), 10)).isTrue();
    }

    @Test
    void aClosedSetTakesNobodyAndHasTheFewestGpusOutstanding() {
        // given four nodes with 8, 2, 5 and 1 GPUs in use, of unknown end but for n4
        nodes(4);
        run("w", "n1", 8, Long.MAX_VALUE);
        run("x", "n2", 2, Long.MAX_VALUE);
        run("y", "n3", 5, Long.MAX_VALUE);
        run("z", "n4", 1, 10);

        // when two whole nodes are collected
        Reservation set = profile().collect(wish("r", "b", 2, 8, 100), Set.of());

        // then they are n2 and n4, and only n3 is left for others, however short
        assertThat(set.bookings()).containsOnlyKeys("n2", "n4");
        assertThat(set.at()).isEqualTo(Reservation.NEVER);
        reservations.add(set);
        assertThat(mayStart("b", 3, 1)).isTrue();
        assertThat(mayStart("b", 4, 1)).isFalse();
        assertThat(profile().collect(wish("r", "b", 1, 8, 100), Set.of("n2")).at())
                .isEqualTo(10);
    }
}

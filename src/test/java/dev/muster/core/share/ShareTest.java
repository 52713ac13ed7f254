package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.Queue;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ShareTest {
    private static final long[] CPU_AND_GPU = {8, 5};

    static Stream<Arguments> shares() {
        return Stream.of(
                arguments("the larger of two resources counts: gpu", of(2, 5), CPU_AND_GPU, of(3, 7), 2, 10),
                arguments("the larger of two resources counts: cpu", of(2, 5), CPU_AND_GPU, of(3, 3), 1, 10),
                arguments("with the gang on top", of(2, 5), CPU_AND_GPU, of(5, 6), 3, 10),
                arguments("what is within nominal counts nothing", of(2, 5), CPU_AND_GPU, of(2, 5), 0, 1),
                arguments("a part of a unit is rounded up", of(0, 500), of(0, 1000), of(0, 501), 1, 1500));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shares")
    void a_share_is_what_is_borrowed_of_what_the_parent_lends(
            String sentence, long[] queue, long[] sibling, long[] use, long over, long lendable) {
        World world = new World("cpu", "gpu")
                .queue("root", null, 1, 0, 0)
                .queue("Q", "root", 1, queue)
                .queue("L", "root", 1, sibling);
        Ledger ledger = new Ledger(world.tree(), LedgerKind.NORMAL);
        int q = world.tree().indexOf("Q");
        ledger.charge(q, Charge.of(use));

        assertThat(new Share(world.tree()).of(ledger, q)).isEqualTo((over * Share.ONE + lendable - 1) / lendable);
    }

    private static long[] of(long... amounts) {
        return amounts;
    }

    @Test
    void classes_of_one_resource_add_up() {
        QuotaTree tree = QuotaTree.of(
                List.of(queue("root", null, 0, 0), queue("Q", "root", 20, 80), queue("L", "root", 100, 0)),
                Dimensions.of(List.of("on-demand", "spot"), List.of("cpu")));
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        ledger.charge(tree.indexOf("Q"), Charge.of(25, 5));

        assertThat(new Share(tree).of(ledger, tree.indexOf("Q"))).isEqualTo(Share.ONE * 5 / 200 + 1);
    }

    private static Queue queue(String name, String parent, long onDemand, long spot) {
        return World.queueOf(name, parent, 1, List.of(quota("on-demand", onDemand), quota("spot", spot)));
    }

    private static Queue.Quota quota(String nodeClass, long nominal) {
        return new Queue.Quota(nodeClass, "cpu", nominal, OptionalLong.empty(), OptionalLong.empty(), 0);
    }

    @Test
    void a_resource_that_the_parent_cannot_lend_is_left_out() {
        World world = new World("cpu", "gpu")
                .queue("root", null, 1, 0, 0)
                .queue("Q", "root", 1, of(2, 2), OptionalLong.empty(), OptionalLong.of(0), 0)
                .queue("L", "root", 1, of(10, 64), OptionalLong.empty(), OptionalLong.of(10), 0);
        QuotaTree lends = QuotaTree.of(
                List.of(
                        World.queueOf("root", null, 1, List.of()),
                        World.queueOf(
                                "Q",
                                "root",
                                1,
                                List.of(
                                        new Queue.Quota("c", "cpu", 2, OptionalLong.empty(), OptionalLong.empty(), 0),
                                        new Queue.Quota("c", "gpu", 2, OptionalLong.empty(), OptionalLong.of(0), 0))),
                        World.queueOf(
                                "L",
                                "root",
                                1,
                                List.of(
                                        new Queue.Quota("c", "cpu", 8, OptionalLong.empty(), OptionalLong.empty(), 0),
                                        new Queue.Quota("c", "gpu", 64, OptionalLong.empty(), OptionalLong.of(0), 0)))),
                world.tree().dimensions());
        Ledger ledger = new Ledger(lends, LedgerKind.NORMAL);
        ledger.charge(lends.indexOf("Q"), Charge.of(5, 5));

        assertThat(new Share(lends).of(ledger, lends.indexOf("Q"))).isEqualTo((3 * Share.ONE + 9) / 10);
    }

    static Stream<Arguments> trees() {
        return Stream.of(
                arguments(
                        "on purpose a queue compares with what its own group has (5), others say 5 of 50",
                        5,
                        45,
                        Share.ONE,
                        perThousand(100)),
                arguments(
                        "in a group without quota a queue compares with what the group can get from above",
                        0,
                        50,
                        perThousand(200),
                        perThousand(200)));
    }

    private static long perThousand(long parts) {
        return (parts * Share.ONE + 999) / 1000;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("trees")
    void each_level_compares_with_its_own_parent(String sentence, long queue, long root, long ofQ, long ofGroup) {
        World world = new World("gpu")
                .queue("root", null, 1, root)
                .queue("group", "root", 2, 0)
                .queue("Q", "group", 1, queue);
        Ledger ledger = new Ledger(world.tree(), LedgerKind.NORMAL);
        ledger.charge(world.tree().indexOf("Q"), Charge.of(10));
        Share share = new Share(world.tree());

        assertThat(share.of(ledger, world.tree().indexOf("Q"))).isEqualTo(ofQ);
        assertThat(share.of(ledger, world.tree().indexOf("group")))
                .as("not yet divided by the weight of 2")
                .isEqualTo(ofGroup);
    }

    static Stream<Arguments> levels() {
        return Stream.of(
                arguments("empty before half full", "empty", "half"),
                arguments("half full before exactly full", "half", "full"),
                arguments("exactly full before borrowing", "full", "double"),
                arguments("a larger weight makes the same borrowing less", "heavy", "double"),
                arguments("borrowing without weight comes last", "double", "weightless"),
                arguments("a queue that has nothing and uses nothing is full", "half", "nothing"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("levels")
    void levels_rise_with_use(String sentence, String lower, String higher) {
        World world = new World("gpu")
                .queue("root", null, 1, 0)
                .queue("empty", "root", 1, 4)
                .queue("half", "root", 1, 4)
                .queue("full", "root", 1, 4)
                .queue("double", "root", 1, 4)
                .queue("heavy", "root", 3, 4)
                .queue("weightless", "root", 0, 4)
                .queue("nothing", "root", 1, 0);
        QuotaTree tree = world.tree();
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        ledger.charge(tree.indexOf("half"), Charge.of(2));
        ledger.charge(tree.indexOf("full"), Charge.of(4));
        ledger.charge(tree.indexOf("double"), Charge.of(8));
        ledger.charge(tree.indexOf("heavy"), Charge.of(8));
        ledger.charge(tree.indexOf("weightless"), Charge.of(5));
        Share share = new Share(tree);

        assertThat(share.level(ledger, tree.indexOf(lower))).isLessThan(share.level(ledger, tree.indexOf(higher)));
    }

    @Test
    void fractions_compare_exactly_where_products_need_128_bits() {
        long big = Long.MAX_VALUE - 1;

        assertThat(Ratios.compare(big - 1, big, big, big)).isNegative();
        assertThat(Ratios.compare(big, big - 1, big - 1, big)).isPositive();
        assertThat(Ratios.compare(big, big, 1, 1)).isZero();
        assertThat(Ratios.scaledUp(big, big, 20, Share.MOST)).isEqualTo(Share.ONE);
        assertThat(Ratios.scaledUp(big, 1, 20, Share.MOST)).isEqualTo(Share.MOST);
        assertThat(Ratios.scaledUp(1, big, 20, Share.MOST)).isEqualTo(1);
        assertThat(Ratios.scaledUp(big - 1, big, 20, Share.MOST)).isEqualTo(Share.ONE);
    }
}

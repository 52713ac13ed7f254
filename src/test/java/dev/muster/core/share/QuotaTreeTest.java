package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QuotaTreeTest {
    /** Queues {@code name(parent):nominal[,b=borrowing][,l=lending][,f=firm lending]}; one resource. */
    static QuotaTree tree(String... queues) {
        List<Queue> all = new ArrayList<>();
        for (String text : queues) {
            String[] parts = text.split(":");
            String[] numbers = parts[1].split(",");
            String name = parts[0].replaceAll("\\(.*", "");
            String parent = parts[0].contains("(") ? parts[0].replaceAll(".*\\(|\\)", "") : null;
            OptionalLong borrowing = OptionalLong.empty();
            OptionalLong lending = OptionalLong.empty();
            long firmLending = 0;
            for (String limit : Arrays.copyOfRange(numbers, 1, numbers.length)) {
                long value = Long.parseLong(limit.substring(2));
                switch (limit.charAt(0)) {
                    case 'b' -> borrowing = OptionalLong.of(value);
                    case 'l' -> lending = OptionalLong.of(value);
                    default -> firmLending = value;
                }
            }
            all.add(World.queueOf(
                    name,
                    parent,
                    1,
                    List.of(new Queue.Quota("c", "gpu", Long.parseLong(numbers[0]), borrowing, lending, firmLending))));
        }
        return QuotaTree.of(all, Dimensions.of(List.of("c"), List.of("gpu")));
    }

    static Stream<Arguments> quotas() {
        return Stream.of(
                arguments("a queue that stands alone has its nominal", "A:10", "A 1", "A 10", "A 9"),
                arguments(
                        "a lending limit keeps the rest at home (amounts doubled)",
                        "root:20 A(root):20 B(root):20,l=18",
                        "A 2, B 1",
                        "A 58, B 60",
                        "A 56, B 57"),
                arguments("what is shared above is first come", "root:10 A(root):10", "A 11", "A 20", "A 9"),
                arguments(
                        "on purpose overuse never takes kept quota: B has its 10, where others say 0",
                        "root:10 A(root):10 B(root):10,b=0,l=0",
                        "A 31",
                        "A 20, B 10",
                        "A 0, B 10"),
                arguments(
                        "borrowing and lending limits side by side",
                        "root:10 A(root):10 B(root):10,b=2 C(root):10,l=5",
                        "A 20, B 10, C 6",
                        "A 35, B 12, C 40",
                        "A 4, B 2, C 4"),
                arguments(
                        "quota in the middle of the tree",
                        "root:0 left(root):10 A(left):10 right(root):10 B(right):10,l=0",
                        "A 10, B 5",
                        "A 30, B 40",
                        "A 20, B 25"),
                arguments(
                        "a borrowing limit in the middle binds all below it",
                        "root:0 left(root):10,b=5 right(root):10 A(left):10 B(left):10,b=5 C(right):10",
                        "A 0",
                        "A 35, B 15, C 50",
                        "A 35, B 15, C 50"),
                arguments(
                        "a lending limit in the middle binds all above it",
                        "root:0 R(root):0 left(root):0,l=5 right(root):0 A(left):10,l=5 B(left):10 C(right):0",
                        "A 0",
                        "A 20, B 15, C 5, R 5",
                        "A 20, B 15, C 5, R 5"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("quotas")
    void what_a_queue_may_use(String sentence, String queues, String use, String potential, String available) {
        QuotaTree tree = tree(queues.split(" "));
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        pairs(use).forEach((queue, amount) -> ledger.charge(tree.indexOf(queue), Charge.of(amount)));

        pairs(potential)
                .forEach((queue, amount) -> assertThat(tree.potential(LedgerKind.NORMAL, tree.indexOf(queue), 0))
                        .as("potential of " + queue)
                        .isEqualTo(amount));
        pairs(available).forEach((queue, amount) -> {
            int node = tree.indexOf(queue);
            assertThat(ledger.available(node, 0)).as("available to " + queue).isEqualTo(amount);
            assertThat(ledger.admits(node, Charge.of(amount))).isTrue();
            assertThat(ledger.admits(node, Charge.of(amount + 1))).isFalse();
        });
    }

    private static Map<String, Long> pairs(String text) {
        Map<String, Long> pairs = new java.util.TreeMap<>();
        for (String pair : text.split(", ")) {
            pairs.put(pair.split(" ")[0], Long.parseLong(pair.split(" ")[1]));
        }
        return pairs;
    }

    @Test
    void a_refusal_names_the_exhausted_node_and_what_is_missing() {
        QuotaTree tree = tree("root:0 left(root):10,b=5 A(left):10 right(root):10".split(" "));
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        ledger.charge(tree.indexOf("A"), Charge.of(20));

        assertThat(ledger.refusal(tree.indexOf("A"), Charge.of(7)))
                .isEqualTo(new Refusal(LedgerKind.NORMAL, tree.indexOf("left"), 0, 20, 25, 2));
        assertThat(ledger.refusal(tree.indexOf("A"), Charge.of(5))).isNull();
    }

    @Test
    void firm_gangs_get_only_what_lenders_let_them_have() {
        QuotaTree tree = tree("root:4 A(root):2 B(root):8 C(root):8,f=3".split(" "));
        int a = tree.indexOf("A");

        assertThat(tree.potential(LedgerKind.NORMAL, a, 0)).isEqualTo(22);
        assertThat(tree.potential(LedgerKind.FIRM, a, 0))
                .as("2 own, 4 shared, 3 of C's")
                .isEqualTo(9);
        assertThat(tree.neverFits(LedgerKind.FIRM, a, Charge.of(9))).isNull();
        assertThat(tree.neverFits(LedgerKind.FIRM, a, Charge.of(11)))
                .isEqualTo(new Refusal(LedgerKind.FIRM, tree.indexOf("root"), 0, 0, 7, 2));
    }

    @Test
    void what_a_group_has_itself_is_there_for_its_firm_gangs_once_first_come() {
        QuotaTree tree = tree("P:8 A(P):0 B(P):0".split(" "));
        Ledger firm = new Ledger(tree, LedgerKind.FIRM);
        assertThat(firm.available(tree.indexOf("A"), 0)).isEqualTo(8);

        firm.charge(tree.indexOf("A"), Charge.of(8));

        assertThat(firm.available(tree.indexOf("B"), 0)).isZero();
    }

    @Test
    void a_borrower_cannot_help_itself_to_firm_quota() {
        QuotaTree tree = tree("root:0 A(root):4,f=99 B(root):8".split(" "));

        assertThat(tree.potential(LedgerKind.FIRM, tree.indexOf("A"), 0))
                .as("A's consent lends A's nominal, not B's")
                .isEqualTo(4);
    }

    @Test
    void broken_queues_are_left_out_with_the_problem_and_a_cure() {
        QuotaTree tree =
                tree("root:1 ok(root):1 lost(gone):1 under(lost):1 x(z):1 y(x):1 z(y):1 below(x):1".split(" "));

        assertThat(tree.size()).isEqualTo(2);
        assertThat(tree.indexOf("lost")).isEqualTo(-1);
        assertThat(tree.problems())
                .containsExactly(
                        Map.entry(
                                "below",
                                "queue \"below\" has no place in the tree: its ancestor \"x\" is part of a cycle"),
                        Map.entry(
                                "lost",
                                "queue \"lost\" names the parent \"gone\", which does not exist. Maybe it was renamed or"
                                        + " deleted"),
                        Map.entry("under", "queue \"under\" has no place in the tree: its ancestor \"lost\" is broken"),
                        Map.entry("x", cycle("x")),
                        Map.entry("y", cycle("y")),
                        Map.entry("z", cycle("z")));
    }

    private static String cycle(String member) {
        return "queue \"" + member + "\" is its own ancestor: x -> z -> y -> x. Maybe one of them should name another"
                + " parent, or none";
    }

    @Test
    void a_queue_that_is_declared_twice_counts_not_at_all() {
        QuotaTree tree = tree("A:1 A:2 B:1".split(" "));

        assertThat(tree.size()).isEqualTo(1);
        assertThat(tree.problems()).containsOnlyKeys("A");
    }

    @Test
    void the_order_of_declaration_does_not_matter() {
        List<String> queues = new ArrayList<>(List.of("root:0", "b(root):1", "a(root):2", "c(b):3", "d(a):1"));
        QuotaTree first = tree(queues.toArray(String[]::new));
        Collections.reverse(queues);
        QuotaTree second = tree(queues.toArray(String[]::new));

        for (int node = 0; node < first.size(); node++) {
            assertThat(second.name(node)).isEqualTo(first.name(node));
            assertThat(second.parent(node)).isEqualTo(first.parent(node));
        }
    }

    @Test
    void too_large_a_sum_is_unlimited_and_never_wrapped() {
        long huge = 1L << 62;
        QuotaTree tree = tree(("root:0 A(root):" + huge + " B(root):" + huge + " C(root):0").split(" "));
        int c = tree.indexOf("C");

        assertThat(tree.subtree(LedgerKind.NORMAL, 0, 0)).isEqualTo(QuotaTree.UNLIMITED);
        assertThat(tree.potential(LedgerKind.NORMAL, c, 0)).isEqualTo(QuotaTree.UNLIMITED);
        assertThat(new Ledger(tree, LedgerKind.NORMAL).admits(c, Charge.of(huge)))
                .isTrue();
    }

    @Test
    void after_a_change_of_policy_the_use_stays_and_blocks_what_is_lent() {
        QuotaTree before = tree("root:0 A(root):0 B(root):8".split(" "));
        Ledger ledger = new Ledger(before, LedgerKind.NORMAL);
        ledger.charge(before.indexOf("A"), Charge.of(8));
        QuotaTree after = tree("root:0 A(root):0,b=2 B(root):8,l=2 C(root):1".split(" "));

        Ledger moved = ledger.onto(after);

        assertThat(moved.used(after.indexOf("A"), 0)).isEqualTo(8);
        assertThat(moved.available(after.indexOf("A"), 0)).isZero();
        assertThat(moved.available(after.indexOf("B"), 0)).as("what B keeps").isEqualTo(6);
        assertThat(moved.available(after.indexOf("C"), 0)).isZero();
    }
}

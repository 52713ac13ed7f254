package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QueueOrderTest {
    private QuotaTree tree;
    private Ledger ledger;
    private QueueOrder order;

    private void given(World world) {
        tree = world.tree();
        ledger = new Ledger(tree, LedgerKind.NORMAL);
        order = new QueueOrder(tree, ledger, new Share(tree));
    }

    private void uses(String queue, long amount) {
        ledger.charge(tree.indexOf(queue), Charge.of(amount));
        order.chargeChanged(tree.indexOf(queue));
    }

    private void offers(String queue, long amount, long since) {
        order.offer(tree.indexOf(queue), Charge.of(amount), since);
    }

    private String next() {
        return order.next() < 0 ? "nobody" : tree.name(order.next());
    }

    @Test
    void a_queue_within_its_nominal_comes_before_one_that_borrows_less_than_it_uses() {
        given(World.flat("A:8", "B:0"));
        uses("A", 6);
        offers("A", 2, 2);
        offers("B", 1, 1);
        assertThat(next()).isEqualTo("A");

        offers("A", 3, 2);

        assertThat(next()).as("3 more would be beyond A's 8").isEqualTo("B");
    }

    @Test
    void among_queues_within_nominal_the_emptier_comes_first() {
        given(World.flat("A:8", "B:4"));
        uses("A", 3);
        uses("B", 2);
        offers("A", 1, 2);
        offers("B", 1, 1);

        assertThat(next()).as("3/8 is less than 2/4").isEqualTo("A");
    }

    @Test
    void among_borrowers_share_by_weight_decides_and_the_gang_itself_does_not_count() {
        given(new World("gpu")
                .queue("root", null, 1, 8)
                .queue("A", "root", 2, 0)
                .queue("B", "root", 1, 0)
                .queue("C", "root", 0, 0));
        offers("A", 8, 3);
        offers("B", 1, 2);
        offers("C", 1, 1);
        assertThat(next())
                .as("equal loads: the older, and no weight comes last")
                .isEqualTo("B");

        uses("B", 1);

        assertThat(next()).as("a large gang is not held against its queue").isEqualTo("A");
        uses("A", 2);
        assertThat(next()).as("2/8/2 equals 1/8: the older").isEqualTo("B");
        uses("A", 1);
        assertThat(next()).isEqualTo("B");
    }

    @Test
    void the_past_counts_for_borrowers_only() {
        given(new World("gpu")
                .queue("root", null, 1, 8)
                .queue("A", "root", 1, 0)
                .queue("B", "root", 1, 0));
        offers("A", 1, 1);
        offers("B", 1, 2);
        assertThat(next()).isEqualTo("A");

        order.pastUse(tree.indexOf("A"), Share.ONE / 10);

        assertThat(next()).isEqualTo("B");
    }

    @Test
    void groups_compare_first_then_their_queues() {
        given(new World("gpu")
                .queue("root", null, 1, 8)
                .queue("G", "root", 1, 0)
                .queue("H", "root", 1, 0)
                .queue("g1", "G", 1, 0)
                .queue("g2", "G", 1, 0)
                .queue("h1", "H", 1, 0));
        uses("g1", 1);
        uses("h1", 2);
        offers("g1", 1, 1);
        offers("g2", 1, 3);
        offers("h1", 1, 2);
        assertThat(next()).isEqualTo("g2");

        order.withdraw(tree.indexOf("g2"));
        assertThat(next()).isEqualTo("g1");
        uses("g1", 2);
        assertThat(next()).isEqualTo("h1");
        order.withdraw(tree.indexOf("h1"));
        order.withdraw(tree.indexOf("g1"));
        assertThat(next()).isEqualTo("nobody");
    }

    @Test
    void a_large_gang_is_not_overtaken_for_ever_by_a_stream_of_small_ones() {
        given(World.flat("A:0", "B:0", "pool:8"));
        offers("A", 8, 1);
        int admitted = 0;
        while (next().equals("B") || admitted == 0) {
            offers("B", 1, 2 + admitted++);
            uses("B", 1);
            if (admitted > 8) {
                break;
            }
        }

        assertThat(next())
                .as("B's load is above A's as soon as one of B's gangs runs")
                .isEqualTo("A");
        assertThat(admitted).isEqualTo(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void the_tournament_names_whom_a_plain_scan_names(long seed) {
        RandomWorld world = new RandomWorld(seed, 9, 20);
        Random random = world.random();
        tree = world.tree();
        ledger = new Ledger(tree, LedgerKind.NORMAL);
        Share share = new Share(tree);
        order = new QueueOrder(tree, ledger, share);
        Stake[] offered = new Stake[tree.size()];
        long[] past = new long[tree.size()];
        for (int step = 0; step < 60; step++) {
            Stake gang = world.gangs().get(random.nextInt(world.gangs().size()));
            switch (random.nextInt(4)) {
                case 0 -> {
                    offered[gang.queue()] = gang;
                    order.offer(gang.queue(), gang.charge(), gang.slot() / 3);
                }
                case 1 -> {
                    offered[gang.queue()] = null;
                    order.withdraw(gang.queue());
                }
                case 2 -> {
                    int node = random.nextInt(tree.size());
                    past[node] = random.nextInt(1 << 20);
                    order.pastUse(node, past[node]);
                }
                default -> {
                    ledger.charge(gang.queue(), gang.charge());
                    order.chargeChanged(gang.queue());
                }
            }
            assertThat(order.next()).as("seed " + seed + " step " + step).isEqualTo(scan(0, share, offered, past));
        }
    }

    private int scan(int node, Share share, Stake[] offered, long[] past) {
        List<int[]> best = new ArrayList<>();
        for (int i = 0; i < tree.childCount(node); i++) {
            int child = tree.firstChild(node) + i;
            int queue = scan(child, share, offered, past);
            if (queue >= 0) {
                best.add(new int[] {child, queue});
            }
        }
        best.sort((one, other) -> {
            Stake a = offered[one[1]];
            Stake b = offered[other[1]];
            boolean aWithin = share.staysWithin(ledger, one[0], a.queue(), a.charge());
            boolean bWithin = share.staysWithin(ledger, other[0], b.queue(), b.charge());
            if (aWithin != bWithin) {
                return aWithin ? -1 : 1;
            }
            int byLoad = aWithin
                    ? fullest(one[0], a).compareTo(fullest(other[0], b))
                    : load(one[0], share, past).compareTo(load(other[0], share, past));
            if (byLoad != 0) {
                return byLoad;
            }
            int byAge = Integer.compare(a.slot() / 3, b.slot() / 3);
            return byAge != 0 ? byAge : tree.name(one[0]).compareTo(tree.name(other[0]));
        });
        return best.isEmpty() ? (offered[node] == null ? -1 : node) : best.get(0)[1];
    }

    private Exact fullest(int node, Stake gang) {
        Exact fullest = new Exact(0, 1);
        for (int i = 0; i < gang.charge().size(); i++) {
            int dim = gang.charge().dim(i);
            long has = tree.subtree(LedgerKind.NORMAL, node, dim);
            Exact here = has == 0 ? fullest : new Exact(ledger.used(node, dim), has);
            fullest = here.compareTo(fullest) > 0 ? here : fullest;
        }
        return fullest;
    }

    private Exact load(int node, Share share, long[] past) {
        long weight = tree.weight(node);
        long sum = share.of(ledger, node) + past[node];
        return weight == 0 ? new Exact(sum + (1L << 45), 1) : new Exact(sum, weight);
    }

    private record Exact(long over, long under) implements Comparable<Exact> {
        @Override
        public int compareTo(Exact other) {
            return BigInteger.valueOf(over)
                    .multiply(BigInteger.valueOf(other.under))
                    .compareTo(BigInteger.valueOf(other.over).multiply(BigInteger.valueOf(under)));
        }
    }
}

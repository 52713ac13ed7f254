package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerPropertiesTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void charging_and_uncharging_equals_counting_anew(long seed) {
        RandomWorld world = new RandomWorld(seed, 8, 12);
        Random random = world.random();
        for (LedgerKind kind : LedgerKind.values()) {
            Ledger ledger = new Ledger(world.tree(), kind);
            List<Stake> charged = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                if (charged.isEmpty() || random.nextInt(5) < 3) {
                    charged.add(world.gangs().get(random.nextInt(world.gangs().size())));
                    Stake gang = charged.get(charged.size() - 1);
                    ledger.charge(gang.queue(), gang.charge());
                } else {
                    Stake gang = charged.remove(random.nextInt(charged.size()));
                    ledger.uncharge(gang.queue(), gang.charge());
                }
                assertThat(figures(ledger)).as("seed " + seed).isEqualTo(counted(world.tree(), kind, charged));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void what_is_available_is_exactly_what_is_admitted(long seed) {
        RandomWorld world = new RandomWorld(seed, 8, 12);
        for (LedgerKind kind : LedgerKind.values()) {
            Ledger ledger = new Ledger(world.tree(), kind);
            for (Stake gang : world.gangs()) {
                boolean fits = ledger.admits(gang.queue(), gang.charge());
                assertThat(ledger.refusal(gang.queue(), gang.charge()) == null).isEqualTo(fits);
                for (int i = 0; i < gang.charge().size(); i++) {
                    int dim = gang.charge().dim(i);
                    long available = ledger.available(gang.queue(), dim);
                    assertThat(available >= gang.charge().amount(i) || !fits)
                            .as("seed " + seed)
                            .isTrue();
                    long[] more = new long[world.tree().dimensions().size()];
                    more[dim] = available + 1;
                    assertThat(ledger.admits(gang.queue(), Charge.of(more)))
                            .as("seed " + seed)
                            .isFalse();
                    more[dim] = available;
                    assertThat(ledger.admits(gang.queue(), Charge.of(more)))
                            .as("seed " + seed)
                            .isTrue();
                }
                if (fits || world.random().nextInt(4) == 0) {
                    ledger.charge(gang.queue(), gang.charge());
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void no_more_is_available_while_use_has_not_fallen_on_the_way_up(long seed) {
        RandomWorld world = new RandomWorld(seed, 8, 12);
        Random random = world.random();
        Ledger ledger = new Ledger(world.tree(), LedgerKind.values()[random.nextInt(2)]);
        List<Stake> charged = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            long before = ledger.falls();
            List<Long> available = available(ledger);
            Stake gang = world.gangs().get(random.nextInt(world.gangs().size()));
            if (charged.isEmpty() || random.nextBoolean()) {
                charged.add(gang);
                ledger.charge(gang.queue(), gang.charge());
            } else {
                Stake leaving = charged.remove(random.nextInt(charged.size()));
                ledger.uncharge(leaving.queue(), leaving.charge());
            }
            List<Long> now = available(ledger);
            int dims = world.tree().dimensions().size();
            for (int node = 0; node < world.tree().size(); node++) {
                List<Long> was = available.subList(node * dims, (node + 1) * dims);
                List<Long> is = now.subList(node * dims, (node + 1) * dims);
                boolean rose = IntStream.range(0, dims).anyMatch(dim -> is.get(dim) > was.get(dim));
                assertThat(!rose || ledger.hasFallenSince(node, before))
                        .as(
                                "seed %d, step %d, queue %s: from %s to %s",
                                seed, step, world.tree().name(node), was, is)
                        .isTrue();
            }
        }
    }

    private static List<Long> available(Ledger ledger) {
        List<Long> available = new ArrayList<>();
        for (int node = 0; node < ledger.tree().size(); node++) {
            for (int dim = 0; dim < ledger.tree().dimensions().size(); dim++) {
                available.add(ledger.available(node, dim));
            }
        }
        return available;
    }

    private static List<Long> figures(Ledger ledger) {
        List<Long> figures = new ArrayList<>();
        for (int node = 0; node < ledger.tree().size(); node++) {
            for (int dim = 0; dim < ledger.tree().dimensions().size(); dim++) {
                figures.add(ledger.used(node, dim));
                figures.add(ledger.passed(node, dim));
            }
        }
        return figures;
    }

    private static List<Long> counted(QuotaTree tree, LedgerKind kind, List<Stake> charged) {
        long[][] used = new long[tree.size()][tree.dimensions().size()];
        for (Stake gang : charged) {
            for (int i = 0; i < gang.charge().size(); i++) {
                used[gang.queue()][gang.charge().dim(i)] += gang.charge().amount(i);
            }
        }
        List<Long> figures = new ArrayList<>();
        for (int node = tree.size() - 1; node >= 0; node--) {
            List<Long> ofNode = new ArrayList<>();
            for (int dim = 0; dim < tree.dimensions().size(); dim++) {
                long passed = Math.max(0, used[node][dim] - tree.kept(kind, node, dim));
                if (tree.parent(node) >= 0) {
                    used[tree.parent(node)][dim] += passed;
                }
                ofNode.add(used[node][dim]);
                ofNode.add(passed);
            }
            figures.addAll(0, ofNode);
        }
        return figures;
    }

    @Test
    void more_than_was_charged_cannot_be_taken_off() {
        QuotaTree tree = World.flat("A:4").tree();
        Ledger ledger = new Ledger(tree, LedgerKind.NORMAL);
        ledger.charge(tree.indexOf("A"), Charge.of(3));

        assertThatThrownBy(() -> ledger.uncharge(tree.indexOf("A"), Charge.of(4)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("queue \"A\" has 3 charged of gpu of c, and 4 should be taken off");
    }
}

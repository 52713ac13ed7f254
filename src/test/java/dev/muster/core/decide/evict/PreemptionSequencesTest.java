package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.RandomWorld;
import dev.muster.core.share.Stake;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random worlds between random events: admissions and preemptions in an adversarial order until nothing changes. */
class PreemptionSequencesTest {
    private RandomWorld world;
    private QuotaTree tree;
    private Play play;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void every_preemption_raises_the_potential_and_they_come_to_an_end(long seed) {
        world = new RandomWorld(seed, 5, 9);
        tree = world.tree();
        play = new Play(tree, 8 + world.random().nextInt(30), "seed " + seed);
        List<Stake> unborn = new ArrayList<>(world.gangs());
        for (int event = 0; event < 12; event++) {
            if (!unborn.isEmpty() && world.random().nextInt(3) > 0) {
                int births = 1 + world.random().nextInt(unborn.size());
                for (int i = 0; i < births; i++) {
                    play.arrive(unborn.remove(world.random().nextInt(unborn.size())));
                }
            } else if (!play.running.isEmpty()) {
                List<Stake> running = new ArrayList<>(play.running.values());
                play.finish(running.get(world.random().nextInt(running.size())));
            }
            settleInAnyOrder();
        }
    }

    private void settleInAnyOrder() {
        for (int step = 0; step < 2_000; step++) {
            List<Stake> order = new ArrayList<>(play.waiting.values());
            Collections.shuffle(order, world.random());
            if (order.stream().noneMatch(this::acts)) {
                return;
            }
            nobodyIsAboveLimit();
            whatChildrenAreDueFitsTheirParent();
        }
        throw new AssertionError("no end of preemptions, " + play.log);
    }

    /** Admits, or preempts any of the minimal legal sets, not only the best. */
    private boolean acts(Stake candidate) {
        if (play.startIfItFits(candidate)) {
            return true;
        }
        Prospect prospect = play.prospect(candidate);
        List<Eviction> all = prospect.all(play.placeFor(candidate));
        Outcome best = prospect.search(play.placeFor(candidate));
        assertThat(best instanceof Outcome.Evict).as(play.log).isEqualTo(!all.isEmpty());
        if (!(best instanceof Outcome.Evict evict)) {
            return false;
        }
        assertThat(all).as(play.log).contains(evict.eviction());
        play.preempt(candidate, all.get(world.random().nextInt(all.size())));
        return true;
    }

    private void nobodyIsAboveLimit() {
        for (int node = 0; node < tree.size(); node++) {
            for (int dim = 0; dim < tree.dimensions().size(); dim++) {
                assertThat(play.standing.committed().used(node, dim))
                        .as(play.log)
                        .isLessThanOrEqualTo(tree.limit(LedgerKind.NORMAL, node, dim));
                assertThat(play.standing.committedFirm().used(node, dim))
                        .as(play.log)
                        .isLessThanOrEqualTo(tree.limit(LedgerKind.FIRM, node, dim));
            }
        }
    }

    private void whatChildrenAreDueFitsTheirParent() {
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            for (int node = 0; node < tree.size(); node++) {
                long due = play.standing.due().due(node, dim);
                if (tree.childCount(node) > 0) {
                    assertThat(passedBelow(node, dim)).as(play.log).isLessThanOrEqualTo(due);
                }
                if (node == 0) {
                    assertThat(due).as(play.log).isLessThanOrEqualTo(quotaAndConsent(dim));
                }
            }
        }
    }

    private long passedBelow(int node, int dim) {
        long passed = play.standing.committedFirm().own(node, dim);
        for (int i = 0; i < tree.childCount(node); i++) {
            int child = tree.firstChild(node) + i;
            long due = play.standing.due().due(child, dim);
            passed += Math.max(0, due - tree.kept(LedgerKind.NORMAL, child, dim));
        }
        return passed;
    }

    /** S of the root, and what lenders let firm gangs have: they are due it all the same. */
    private long quotaAndConsent(int dim) {
        long sum = tree.subtree(LedgerKind.NORMAL, 0, dim);
        for (int node = 1; node < tree.size(); node++) {
            sum += tree.lent(LedgerKind.FIRM, node, dim);
        }
        return sum;
    }
}

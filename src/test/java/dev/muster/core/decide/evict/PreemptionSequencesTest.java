package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.RandomWorld;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random worlds between random events: admissions and preemptions in an adversarial order until nothing changes. */
class PreemptionSequencesTest {
    private RandomWorld world;
    private Standing standing;
    private final Map<Integer, Stake> running = new TreeMap<>();
    private final Map<Integer, Stake> waiting = new TreeMap<>();
    private long clock;
    private long capacity;
    private String log = "";

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void every_preemption_raises_the_potential_and_they_come_to_an_end(long seed) {
        world = new RandomWorld(seed, 5, 9);
        standing = new Standing(world.tree());
        capacity = 8 + world.random().nextInt(30);
        List<Stake> unborn = new ArrayList<>(world.gangs());
        log = "seed " + seed;
        for (int event = 0; event < 12; event++) {
            if (!unborn.isEmpty() && world.random().nextInt(3) > 0) {
                int births = 1 + world.random().nextInt(unborn.size());
                for (int i = 0; i < births; i++) {
                    arrive(unborn.remove(world.random().nextInt(unborn.size())));
                }
            } else if (!running.isEmpty()) {
                finish(pick(running));
            }
            settle();
        }
    }

    private void settle() {
        for (int step = 0; step < 2_000; step++) {
            List<Stake> order = new ArrayList<>(waiting.values());
            Collections.shuffle(order, world.random());
            boolean changed = false;
            for (Stake candidate : order) {
                if (act(candidate)) {
                    changed = true;
                    break;
                }
            }
            if (!changed) {
                return;
            }
        }
        throw new AssertionError("no end of preemptions, " + log);
    }

    private boolean act(Stake candidate) {
        if (standing.admits(candidate) && placeFor(candidate).fits(new Stake[0], new boolean[0])) {
            log += " +" + candidate.uid();
            admit(candidate);
            return true;
        }
        Prospect prospect = new Evictions(standing).prospect(candidate, true, PolicyWorldsTest.EQUAL);
        List<Eviction> all = prospect.all(placeFor(candidate));
        Outcome best = prospect.search(placeFor(candidate));
        if (all.isEmpty()) {
            assertThat(best).as(log).isInstanceOf(Outcome.Refused.class);
            return false;
        }
        assertThat(best).as(log).isInstanceOf(Outcome.Evict.class);
        assertThat(all).as(log).contains(((Outcome.Evict) best).eviction());
        Eviction chosen = all.get(world.random().nextInt(all.size()));
        Potential before = Potential.of(standing);
        log += " " + candidate.uid() + "x"
                + chosen.victims().stream().map(Stake::uid).toList();
        chosen.victims().forEach(this::stop);
        assertThat(standing.admits(candidate)).as(log).isTrue();
        admit(candidate);
        assertThat(Potential.of(standing)).as(log).isGreaterThan(before);
        return true;
    }

    private Place placeFor(Stake candidate) {
        return (legal, out) -> {
            long used = candidate.size();
            for (Stake gang : running.values()) {
                used += gang.size();
            }
            for (int i = 0; i < out.length; i++) {
                used -= out[i] ? legal[i].size() : 0;
            }
            return used <= capacity;
        };
    }

    private void arrive(Stake gang) {
        log += " new " + gang.uid();
        waiting.put(gang.slot(), gang);
        standing.want(gang.queue(), gang.charge(), gang.charge());
    }

    private void finish(Stake gang) {
        log += " -" + gang.uid();
        running.remove(gang.slot());
        standing.release(gang);
    }

    private void stop(Stake victim) {
        assertThat(victim.firm()).as(log).isFalse();
        running.remove(victim.slot());
        standing.release(victim);
        Stake again = RandomWorld.admitted(victim, Stake.CANDIDATE);
        waiting.put(again.slot(), again);
        standing.want(again.queue(), again.charge(), again.charge());
    }

    private void admit(Stake candidate) {
        waiting.remove(candidate.slot());
        standing.unwant(candidate.queue(), candidate.charge(), candidate.charge());
        Stake admitted = RandomWorld.admitted(candidate, ++clock);
        running.put(admitted.slot(), admitted);
        standing.commit(admitted);
        nobodyIsAboveLimit();
        entitlementFitsTheRoot();
    }

    private void nobodyIsAboveLimit() {
        for (int node = 0; node < world.tree().size(); node++) {
            for (int dim = 0; dim < world.tree().dimensions().size(); dim++) {
                assertThat(standing.committed().used(node, dim))
                        .as(log)
                        .isLessThanOrEqualTo(world.tree().limit(LedgerKind.NORMAL, node, dim));
                assertThat(standing.committedFirm().used(node, dim))
                        .as(log)
                        .isLessThanOrEqualTo(world.tree().limit(LedgerKind.FIRM, node, dim));
            }
        }
    }

    private void entitlementFitsTheRoot() {
        for (int dim = 0; dim < world.tree().dimensions().size(); dim++) {
            for (int node = 0; node < world.tree().size(); node++) {
                long due = standing.due().due(node, dim);
                long passed = standing.committedFirm().own(node, dim);
                for (int i = 0; i < world.tree().childCount(node); i++) {
                    int child = world.tree().firstChild(node) + i;
                    passed += Math.max(
                            0, standing.due().due(child, dim) - world.tree().kept(LedgerKind.NORMAL, child, dim));
                }
                if (world.tree().childCount(node) > 0) {
                    assertThat(passed).as(log).isLessThanOrEqualTo(due);
                }
                if (node == 0) {
                    assertThat(due).as(log).isLessThanOrEqualTo(quotaAndConsent(dim));
                }
            }
        }
    }

    /** S of the root, and what lenders let firm gangs have: they are due it all the same. */
    private long quotaAndConsent(int dim) {
        long sum = world.tree().subtree(LedgerKind.NORMAL, 0, dim);
        for (int node = 1; node < world.tree().size(); node++) {
            sum += world.tree().lent(LedgerKind.FIRM, node, dim);
        }
        return sum;
    }

    private Stake pick(Map<Integer, Stake> from) {
        List<Stake> all = new ArrayList<>(from.values());
        return all.get(world.random().nextInt(all.size()));
    }
}

package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.model.Queue;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Dimensions;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Seeds;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import dev.muster.core.share.World;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast search against all sets, in worlds with nodes: one queue gets its nominal back from borrowers on few nodes. */
class SearchQualityTest {
    private static final int NODES = 4;
    private static final int NODE_SIZE = 8;

    @Test
    void the_search_finds_a_set_whenever_there_is_one_and_loses_hardly_more_than_the_best() {
        long lost = 0;
        long least = 0;
        int solved = 0;
        int optimal = 0;
        long worstPercent = 100;
        for (long seed : Seeds.all().toArray()) {
            Setting setting = new Setting(seed);
            List<Eviction> all = setting.prospect().all(setting.place());
            Outcome found = setting.prospect().search(setting.place());
            assertThat(found instanceof Outcome.Evict).as("seed " + seed).isEqualTo(!all.isEmpty());
            if (found instanceof Outcome.Evict evict) {
                assertThat(all).as("seed " + seed).contains(evict.eviction());
                solved++;
                lost += evict.eviction().cost();
                least += all.get(0).cost();
                optimal += evict.eviction().equals(all.get(0)) ? 1 : 0;
                worstPercent = Math.max(
                        worstPercent, evict.eviction().cost() * 100 / all.get(0).cost());
            }
        }
        String figures = solved + " solved, " + optimal + " the best, lost " + lost + " against " + least + ", worst "
                + worstPercent + " %";
        assertThat(solved).as(figures).isGreaterThan(Seeds.all().toArray().length / 4);
        assertThat(lost * 100).as(figures).isLessThanOrEqualTo(least * 102);
        assertThat(worstPercent).as(figures).isLessThanOrEqualTo(150);
    }

    /** Nodes full of interruptible borrowers, and a gang of whole pods of one shape that is due its nominal. */
    private static final class Setting {
        private final Standing standing;
        private final Stake candidate;
        private final int pods;
        private final int podSize;
        private final int[][] placeOf;
        private final long[] cost;

        Setting(long seed) {
            Random random = new Random(seed);
            Queue root = queue("root", null, 0);
            Queue due = queue("due", "root", NODES * NODE_SIZE);
            Queue borrower = queue("borrower", "root", 0);
            QuotaTree tree =
                    QuotaTree.of(List.of(root, due, borrower), Dimensions.of(List.of(World.CLASS), List.of("gpu")));
            standing = new Standing(tree);
            int[] free = new int[NODES];
            java.util.Arrays.fill(free, NODE_SIZE);
            List<int[]> places = new ArrayList<>();
            for (int tries = 0; tries < 60 && places.size() < 12; tries++) {
                int size = 1 << random.nextInt(4);
                int spread = size > 1 && random.nextInt(3) == 0 ? 2 : 1;
                int[] place = new int[NODES];
                boolean fits = true;
                for (int part = 0; part < spread; part++) {
                    int node = random.nextInt(NODES);
                    place[node] += size / spread;
                    fits &= free[node] >= place[node];
                }
                if (fits) {
                    for (int node = 0; node < NODES; node++) {
                        free[node] -= place[node];
                    }
                    places.add(place);
                }
            }
            placeOf = places.toArray(int[][]::new);
            cost = new long[placeOf.length];
            for (int i = 0; i < placeOf.length; i++) {
                int size = java.util.Arrays.stream(placeOf[i]).sum();
                cost[i] = (long) size * (600 + random.nextInt(10_000));
                standing.commit(stake(i, tree.indexOf("borrower"), size, i));
            }
            podSize = 1 << 1 + random.nextInt(3);
            pods = 1 + random.nextInt(2 * NODE_SIZE / podSize);
            candidate = stake(placeOf.length, tree.indexOf("due"), pods * podSize, Stake.CANDIDATE);
            standing.want(candidate.queue(), candidate.charge(), candidate.charge());
        }

        private static Queue queue(String name, String parent, long nominal) {
            return World.queueOf(
                    name,
                    parent,
                    1,
                    List.of(new Queue.Quota(
                            World.CLASS, "gpu", nominal, OptionalLong.empty(), OptionalLong.empty(), 0)));
        }

        private static Stake stake(int slot, int queue, int size, long at) {
            return new Stake(slot, "g%02d".formatted(slot), queue, Charge.of(size), false, 0, size, at);
        }

        Prospect prospect() {
            return new Evictions(standing).prospect(candidate, true, new Victims() {
                @Override
                public boolean mayStop(Stake gang) {
                    return true;
                }

                @Override
                public long cost(Stake gang) {
                    return cost[gang.slot()];
                }
            });
        }

        Place place() {
            return (legal, out) -> {
                int[] used = new int[NODES];
                boolean[] gone = new boolean[placeOf.length];
                for (int i = 0; i < out.length; i++) {
                    gone[legal[i].slot()] = out[i];
                }
                for (int i = 0; i < placeOf.length; i++) {
                    for (int node = 0; node < NODES && !gone[i]; node++) {
                        used[node] += placeOf[i][node];
                    }
                }
                int room = 0;
                for (int node = 0; node < NODES; node++) {
                    room += (NODE_SIZE - used[node]) / podSize;
                }
                return room >= pods;
            };
        }
    }
}

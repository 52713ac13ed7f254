package dev.muster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Side;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Queue;
import dev.muster.core.share.Seeds;
import dev.muster.core.share.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Relocation against brute force over every way to spread the gangs that may move: small fleets on which gangs of 1 to 6
 * GPUs are scattered, and a newcomer that has quota and finds no place.
 */
class RelocationOracleTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String CLASS = "h100";
    private static final int SIZE = 8;

    /** One fleet; gangs have one member each. */
    private static final class Scattered implements Committed {
        final Fleet fleet = new Fleet();
        final Quotas quotas = new Quotas(fleet::nodeSize, 86_400);
        final Map<String, Gang> gangs = new TreeMap<>();
        final Map<String, Integer> nodeOf = new HashMap<>();
        final int[] used;
        final Gang newcomer;

        Scattered(Random random) {
            quotas.putClass(CLASS, GPU);
            fleet.put(new NodeClass(CLASS, Map.of("gpu", CLASS), null, List.of(), GPU, Map.of(), List.of(), null));
            used = new int[3 + random.nextInt(3)];
            for (int node = 0; node < used.length; node++) {
                fleet.put(new NodeFacts(
                        "n" + node,
                        Map.of("gpu", CLASS),
                        List.of(),
                        Amounts.of(Map.of(GPU, (long) SIZE, Amounts.CPU, 64_000L, Amounts.PODS, 110L)),
                        true,
                        false));
            }
            quotas.put(World.queueOf(
                    "team",
                    null,
                    1,
                    List.of(new Queue.Quota(
                            CLASS, GPU, (long) SIZE * used.length, OptionalLong.empty(), OptionalLong.empty(), 0))));
            for (int i = 0; i < 9; i++) {
                start(gang("g" + i, random.nextInt(4) > 0, 1 + random.nextInt(6)), random.nextInt(used.length));
            }
            newcomer = gang("newcomer", false, 3 + random.nextInt(6));
        }

        private static Gang gang(String name, boolean interruptible, long gpus) {
            PodShape shape = new PodShape(
                    Amounts.of(Map.of(GPU, gpus, Amounts.CPU, 1_000L, Amounts.PODS, 1L)), List.of(), List.of());
            return new Gang(
                    name,
                    "space",
                    name,
                    "team",
                    0,
                    interruptible,
                    0,
                    List.of(new PodSet("main", 1, 1, shape, true, null)),
                    List.of(),
                    List.of(),
                    OptionalLong.empty());
        }

        private static int gpus(Gang gang) {
            return (int) gang.total().get(GPU);
        }

        private void start(Gang gang, int node) {
            if (used[node] + gpus(gang) > SIZE) {
                return;
            }
            used[node] += gpus(gang);
            gangs.put(gang.uid(), gang);
            nodeOf.put(gang.uid(), node);
            Commitment commitment = new Commitment(
                    gang.uid(), "team", Map.of(CLASS, quotas.charge(gang, CLASS)), !gang.interruptible(), 0, 1);
            quotas.commit(gang.uid(), commitment);
            quotas.hold(gang.uid(), commitment);
            for (Side side : Side.values()) {
                bookings(gang.uid()).forEach((name, amount) -> fleet.book(side, name, amount, 1));
            }
        }

        Verdict judge() {
            return new Judge(quotas, fleet, this, Reserved.NOTHING).judge(newcomer, 10_000_000, 0);
        }

        /** Whether the newcomer fits in some spread of the gangs that may move. */
        boolean canBeMadeToFit() {
            int[] firm = new int[used.length];
            List<Integer> movable = new ArrayList<>();
            gangs.forEach((uid, gang) -> {
                if (gang.interruptible()) {
                    movable.add(gpus(gang));
                } else {
                    firm[nodeOf.get(uid)] += gpus(gang);
                }
            });
            movable.add(gpus(newcomer));
            return spreads(movable, movable.size() - 1, firm);
        }

        private static boolean spreads(List<Integer> sizes, int last, int[] used) {
            if (last < 0) {
                return true;
            }
            int size = sizes.get(last);
            for (int node = 0; node < used.length; node++) {
                if (used[node] + size <= SIZE) {
                    used[node] += size;
                    boolean fits = spreads(sizes, last - 1, used);
                    used[node] -= size;
                    if (fits) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** What each node is used once the plan is carried out. */
        int[] after(Verdict.Preempts plan) {
            int[] after = used.clone();
            plan.victims().forEach(uid -> after[nodeOf.get(uid)] -= gpus(gangs.get(uid)));
            plan.moves().forEach((uid, to) -> after[node(to)] += gpus(gangs.get(uid)));
            after[node(plan.claim())] += gpus(newcomer);
            return after;
        }

        private static int node(Verdict.Fits fits) {
            PodSetPlace place = fits.podsets().get(0);
            return Integer.parseInt(place.nodes().get(0).node().substring(1));
        }

        @Override
        public boolean mayStop(String uid, long now) {
            return true;
        }

        @Override
        public long nextProtectionEnd(long now) {
            return Long.MAX_VALUE;
        }

        @Override
        public long cost(String uid, long now) {
            return gpus(gangs.get(uid)) * 1_000L;
        }

        @Override
        public boolean isMovable(String uid, String nodeClass) {
            return true;
        }

        @Override
        public Gang gang(String uid) {
            return gangs.get(uid);
        }

        @Override
        public Map<String, long[]> bookings(String uid) {
            return Map.of(
                    "n" + nodeOf.get(uid),
                    fleet.resources()
                            .vector(gangs.get(uid).podsets().get(0).shape().requests()));
        }

        @Override
        public String title(String uid) {
            return uid;
        }
    }

    @Test
    void a_gang_that_has_quota_gets_its_place_by_moving_others_mostly_whenever_that_can_be_done() {
        int possible = 0;
        int found = 0;
        for (long seed : Seeds.all().toArray()) {
            for (int i = 0; i < 20; i++) {
                Scattered world = new Scattered(new Random(seed * 31 + i));
                Verdict verdict = world.judge();
                if (verdict instanceof Verdict.Fits) {
                    continue;
                }
                possible += world.canBeMadeToFit() ? 1 : 0;
                if (verdict instanceof Verdict.Preempts plan) {
                    found++;
                    String as = "seed " + seed + ", world " + i + ": " + plan;
                    assertThat(Arrays.stream(world.after(plan)).max().orElseThrow())
                            .as(as)
                            .isLessThanOrEqualTo(SIZE);
                    assertThat(plan.moves().keySet()).as(as).containsExactlyInAnyOrderElementsOf(plan.victims());
                    assertThat(plan.victims())
                            .as(as)
                            .allMatch(uid -> world.gangs.get(uid).interruptible());
                }
            }
        }
        System.out.println("relocation: " + found + " of " + possible + " found");
        assertThat(possible).isGreaterThan((int) Seeds.all().count() / 2);
        assertThat(found).as("of " + possible).isGreaterThanOrEqualTo(possible * 85 / 100);
    }
}

package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntitlementTest {
    @Test
    void what_nobody_needs_is_divided_by_weight() {
        World world = new World("gpu")
                .queue("root", null, 1, 0)
                .queue("idle", "root", 1, 12)
                .queue("one", "root", 1, 4)
                .queue("two", "root", 2, 4)
                .waits("a one 20", "b two 20");

        assertThat(world.due())
                .isEqualTo(Map.of("root", List.of(20L), "idle", List.of(0L), "one", List.of(8L), "two", List.of(12L)));
    }

    @Test
    void who_needs_less_leaves_the_rest_to_the_others() {
        World world = World.flat("idle:12", "a:0", "b:0", "c:0").waits("x a 2", "y b 20", "z c 20");

        assertThat(world.due())
                .containsEntry("a", List.of(2L))
                .containsEntry("b", List.of(5L))
                .containsEntry("c", List.of(5L));
    }

    @Test
    void parts_are_rounded_down() {
        World world = World.flat("idle:8", "a:0", "b:0", "c:0").waits("x a 8", "y b 8", "z c 8");

        assertThat(world.due())
                .containsEntry("a", List.of(2L))
                .containsEntry("b", List.of(2L))
                .containsEntry("c", List.of(2L));
    }

    @Test
    void weight_zero_gets_what_all_others_leave() {
        World world = new World("gpu")
                .queue("root", null, 1, 8)
                .queue("a", "root", 1, 0)
                .queue("b", "root", 0, 0)
                .queue("c", "root", 0, 0)
                .waits("x a 4", "y b 8", "z c 8");

        assertThat(world.due())
                .containsEntry("a", List.of(4L))
                .containsEntry("b", List.of(2L))
                .containsEntry("c", List.of(2L));
    }

    @Test
    void a_borrowing_limit_caps_what_is_due() {
        World world = new World("gpu")
                .queue("root", null, 1, 8)
                .queue("a", "root", 1, new long[] {2}, OptionalLong.of(1), OptionalLong.empty(), 0)
                .queue("b", "root", 1, 0)
                .waits("x a 9", "y b 9");

        assertThat(world.due()).containsEntry("a", List.of(3L)).containsEntry("b", List.of(7L));
    }

    @Test
    void nominal_is_due_in_every_class_that_a_gang_accepts_and_the_rest_only_in_its_first() {
        QuotaTree tree = QuotaTree.of(
                List.of(
                        World.queueOf("root", null, 1, List.of()),
                        World.queueOf(
                                "a",
                                "root",
                                1,
                                List.of(
                                        new dev.muster.core.model.Queue.Quota(
                                                "new", "gpu", 0, OptionalLong.empty(), OptionalLong.empty(), 0),
                                        new dev.muster.core.model.Queue.Quota(
                                                "old", "gpu", 4, OptionalLong.empty(), OptionalLong.empty(), 0)))),
                Dimensions.of(List.of("new", "old"), List.of("gpu")));
        Standing standing = new Standing(tree);
        int a = tree.indexOf("a");

        standing.want(a, Charge.of(8, 0), Charge.of(8, 8));

        assertThat(standing.due().due(a, tree.dimensions().indexOf("new", "gpu")))
                .isZero();
        assertThat(standing.due().due(a, tree.dimensions().indexOf("old", "gpu")))
                .isEqualTo(4);
    }

    @Test
    void gangs_of_a_queue_with_children_live_on_what_the_children_leave() {
        World world = new World("gpu")
                .queue("group", null, 1, 8)
                .queue("team", "group", 1, 0)
                .runs("boss group 4")
                .waits("work team 8");

        assertThat(world.due()).isEqualTo(Map.of("group", List.of(8L), "team", List.of(8L)));
        assertThat(world.coveredAt()).containsEntry("boss", "group");
    }

    @Test
    void what_changed_is_computed_anew_and_the_result_is_as_if_all_were() {
        World world = new World("cpu", "gpu")
                .queue("root", null, 1, 4, 4)
                .queue("a", "root", 1, 2, 2)
                .queue("b", "root", 1, 2, 2)
                .runs("!x a 3+0")
                .waits("y b 0+9", "z a 1+9");
        Standing standing = world.standing();
        standing.due();
        standing.release(world.stake("x"));
        standing.unwant(
                world.stake("y").queue(),
                world.stake("y").charge(),
                world.stake("y").charge());
        Standing anew = new Standing(world.tree());
        anew.want(
                world.stake("z").queue(),
                world.stake("z").charge(),
                world.stake("z").charge());

        for (int node = 0; node < world.tree().size(); node++) {
            for (int dim = 0; dim < 2; dim++) {
                assertThat(standing.due().due(node, dim)).isEqualTo(anew.due().due(node, dim));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void water_filling_is_exact_for_any_size_of_amounts(long seed) {
        Random random = new Random(seed);
        int claimants = 1 + random.nextInt(40);
        long[] room = new long[claimants];
        long[] weight = new long[claimants];
        int bits = 1 + random.nextInt(50);
        for (int i = 0; i < claimants; i++) {
            room[i] = random.nextInt(4) == 0 ? 0 : random.nextLong() >>> 64 - bits;
            weight[i] = 1 + random.nextInt(random.nextBoolean() ? 3 : 1_000_000);
        }
        long amount = random.nextLong() >>> 64 - Math.min(55, bits + random.nextInt(6));
        WaterFill water = new WaterFill();
        water.start(claimants);
        for (int i = 0; i < claimants; i++) {
            water.add(room[i], weight[i]);
        }

        long rest = water.divide(amount);

        long[] parts = new long[claimants];
        Arrays.setAll(parts, water::part);
        assertThat(parts).as("seed " + seed).isEqualTo(byRounds(room, weight, amount));
        assertThat(rest)
                .as("seed " + seed)
                .isEqualTo(Math.max(0, amount - Arrays.stream(room).sum()));
    }

    /** The same by the plain rule: whoever is full at the common level gets all, until nobody is. */
    private static long[] byRounds(long[] room, long[] weight, long amount) {
        long[] parts = new long[room.length];
        boolean[] full = new boolean[room.length];
        BigInteger rest = BigInteger.valueOf(amount);
        while (true) {
            BigInteger open = BigInteger.ZERO;
            for (int i = 0; i < room.length; i++) {
                open = full[i] ? open : open.add(BigInteger.valueOf(weight[i]));
            }
            boolean changed = false;
            BigInteger before = rest;
            for (int i = 0; i < room.length; i++) {
                BigInteger asked = BigInteger.valueOf(room[i]).multiply(open);
                if (!full[i] && asked.compareTo(before.multiply(BigInteger.valueOf(weight[i]))) <= 0) {
                    full[i] = true;
                    parts[i] = room[i];
                    rest = rest.subtract(BigInteger.valueOf(room[i]));
                    changed = true;
                }
            }
            if (!changed) {
                for (int i = 0; i < room.length; i++) {
                    if (!full[i]) {
                        parts[i] = rest.multiply(BigInteger.valueOf(weight[i]))
                                .divide(open)
                                .longValueExact();
                    }
                }
                return parts;
            }
        }
    }
}

package dev.muster.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CoverTest {
    static Stream<Arguments> orders() {
        return Stream.of(
                arguments("firm before interruptible, whatever the priority", "!a A 4@0", "b A 4@9", "a"),
                arguments("higher base priority first", "a A 4@0", "b A 4@1", "b"),
                arguments("the larger first", "a A 3@0", "b A 4@0", "b"),
                arguments("the earlier admission first", "a A 4@0", "b A 4@0", "a"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    void a_queue_covers_its_gangs_in_order(String sentence, String one, String other, String covered) {
        World world = World.flat("A:4", "B:4").runs(one, other).waits("w B 4");

        assertThat(world.coveredAt()).containsEntry(covered, "A");
        assertThat(world.coveredAt().values())
                .as("the other one lives on what others leave")
                .containsOnlyOnce("A");
    }

    @Test
    void a_smaller_gang_is_covered_where_a_larger_one_is_not() {
        World world = World.flat("A:4", "B:8").runs("big A 5", "small A 3").waits("w B 8");

        assertThat(world.coveredAt()).isEqualTo(Map.of("big", "root", "small", "A"));
    }

    @Test
    void above_its_queue_only_the_part_that_rises_counts() {
        World world = World.flat("A:4", "B:4").runs("a A 6").waits("w B 4");

        assertThat(world.coveredAt()).as("root is due 8, and 6 rise to it").isEqualTo(Map.of("a", "root"));
    }

    @Test
    void a_candidate_that_the_firm_ledger_refuses_is_covered_nowhere() {
        World world = World.flat("A:2", "B:8").waits("!x A 4");
        Stake x = world.stake("x");

        assertThat(world.standing().coveredWith(x)[x.slot()]).isEqualTo(Cover.NOWHERE);
    }

    @Test
    void a_firm_candidate_changes_what_others_are_due() {
        World world = new World("gpu")
                .queue("root", null, 1, 4)
                .queue("A", "root", 1, 0)
                .queue("B", "root", 1, 0)
                .runs("b1 B 2", "b2 B 2")
                .waits("!x A 4");
        Stake x = world.stake("x");
        assertThat(world.coveredAt()).isEqualTo(Map.of("b1", "B", "b2", "root"));

        int[] with = world.standing().coveredWith(x);

        assertThat(world.tree().name(with[x.slot()])).isEqualTo("A");
        assertThat(with[world.stake("b1").slot()]).isEqualTo(Cover.NOWHERE);
        assertThat(world.coveredAt()).as("asking changes nothing").isEqualTo(Map.of("b1", "B", "b2", "root"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.muster.core.share.Seeds#all")
    void the_cheap_question_has_the_same_answer_as_the_full_one(long seed) {
        RandomWorld world = new RandomWorld(seed, 6, 14);
        Standing standing = new Standing(world.tree());
        for (Stake gang : world.gangs()) {
            standing.want(gang.queue(), gang.charge(), gang.charge());
            boolean asks = !gang.firm() && world.tree().childCount(gang.queue()) == 0;
            boolean covered = standing.coveredWith(gang)[gang.slot()] == gang.queue();
            if (asks) {
                assertThat(standing.cover().coversInQueue(standing.due(), gang, standing.coveredAt()))
                        .as("seed " + seed + " " + gang)
                        .isEqualTo(covered);
            }
            if (standing.admits(gang)) {
                standing.unwant(gang.queue(), gang.charge(), gang.charge());
                standing.commit(RandomWorld.admitted(gang, gang.slot()));
            }
        }
    }

    @Test
    void a_gang_is_committed_once_and_released_once() {
        World world = World.flat("A:4").runs("a A 1");
        Stake a = world.stake("a");
        Cover cover = world.standing().cover();

        assertThatThrownBy(() -> cover.add(a)).isInstanceOf(IllegalStateException.class);
        cover.remove(a);
        assertThatThrownBy(() -> cover.remove(a)).isInstanceOf(IllegalStateException.class);
    }
}

package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.share.World;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who is preempted for whom in situations that are known from other queue systems. Amounts are doubled where the situation has
 * halves. All gangs are interruptible. Rows that say "on purpose" are those in which others decide differently.
 */
class PeerPreemptionTest {
    private static final String[] ABC_AND_P = {"A:3", "B:3", "C:3", "P:0"};
    private static final String[] DOUBLED = {"A:6", "B:6", "C:6", "P:0"};

    static Stream<Arguments> rows() {
        return Stream.of(
                row(
                        "a queue below nominal gets back one unit from the only borrower",
                        world(ABC_AND_P, "A 1 1 1", "B 1 1 1 1 1", "C 1"),
                        "C 1",
                        "B1"),
                row(
                        "nominal is taken back from whoever lives above his own; on purpose not A's 3 (which is all that A is"
                                + " due): A's 1 and B's 2 lose less",
                        world(ABC_AND_P, "A 3 1", "B 2 3"),
                        "C 3",
                        "A1 B2"),
                row(
                        "a queue at nominal gets its part of what is shared from the one that has two parts",
                        world(ABC_AND_P, "A 1 1 1", "B 1 1 1 1 1", "C 1"),
                        "A 1",
                        "B1"),
                row(
                        "what is missing after the free unit is made up of a half of each borrower",
                        world(DOUBLED, "A 1 1 6", "B 1 1 6"),
                        "C 4",
                        "A1 B1"),
                row(
                        "nobody is preempted when all are at nominal",
                        world(ABC_AND_P, "A 1 1 1", "B 1 1 1", "C 1 1 1"),
                        "C 1",
                        "nobody"),
                row(
                        "nobody is preempted when that would only swap the imbalance",
                        world(ABC_AND_P, "A 1 1 1", "B 1 1 1 1 1"),
                        "A 2",
                        "nobody"),
                row(
                        "the own queue's lower priorities go when others cannot",
                        world(ABC_AND_P, "A 1@-1 1@-1 1 1", "B 1 1 1 1 1"),
                        "A 2",
                        "A1 A1"),
                row(
                        "on purpose two of B's and none of A's: the own queue's gangs are the last to go",
                        world(ABC_AND_P, "A 1@-1 1 1", "B 1 1 1 1 1 1"),
                        "A 2",
                        "B1 B1"),
                row("a whole large gang goes when there is no other way", world(ABC_AND_P, "B 9"), "A 2", "B9"),
                row(
                        "a gang that would borrow does not push out a smaller borrower's large gang",
                        world(ABC_AND_P, "A 2", "B 7"),
                        "A 5",
                        "nobody"),
                row("a gang beyond its queue's part preempts nobody", world(ABC_AND_P, "B 2 2 3"), "A 6", "nobody"),
                row(
                        "on purpose nobody: A's part does not reach so far that 4 more would be covered",
                        world(ABC_AND_P, "A 2@-1 1@-1", "B 3 3"),
                        "A 4",
                        "nobody"),
                row("only what is missing is taken", world(DOUBLED, "B 4 2 4", "C 2"), "A 7", "B2"),
                row(
                        "on purpose nobody: 3.5 is beyond A's nominal, and what is shared is in use by B and C in equal parts",
                        world(DOUBLED, "B 4 5", "C 4 5"),
                        "A 7",
                        "nobody"),
                row(
                        "what was just preempted does not come back at once",
                        world(DOUBLED, "A 7", "B 5", "C 5"),
                        "B 4",
                        "nobody"),
                row(
                        "a gang beyond its nominal pushes nobody below his",
                        world(ABC_AND_P, "B 3 3", "C 3"),
                        "A 4",
                        "nobody"),
                row(
                        "lower priority in another queue is no reason to be preempted",
                        world(ABC_AND_P, "A 1 1 1", "B 1 1 1", "P 1@-3 1@-3 1@-3"),
                        "A 2",
                        "nobody"),
                row(
                        "on purpose nobody: after losing the 5 B would be far below A; B's 1 is covered",
                        world(ABC_AND_P, "A 3", "B 5@0 1@1"),
                        "A 1",
                        "nobody"),
                row(
                        "a queue of weight 2 gets two units from one of weight 1",
                        weighted("A:3:2", "B:3:1", "C:3:1").andRuns("A 1 1 1", "B 1 1 1 1 1 1"),
                        "A 2",
                        "B1 B1"),
                row(
                        "a queue without weight gives back all that it borrowed",
                        weighted("A:3:1", "B:3:0", "C:3:1").andRuns("B 1 1 1 1 1 1", "A 1 1 1"),
                        "A 3",
                        "B1 B1 B1"),
                row(
                        "a queue without weight keeps its nominal",
                        weighted("A:3:1", "B:3:0").andRuns("B 1 1 1", "A 1 1 1"),
                        "A 1",
                        "nobody"),
                row(
                        "higher priority preempts lower in one queue that stands alone",
                        alone("A", 1).andRuns("A 1"),
                        "A 1@1000",
                        "A1"),
                row(
                        "a queue without weight takes its nominal back",
                        weighted("A:1:0", "B:0:1").andRuns("B 1"),
                        "A 1",
                        "B1"),
                row(
                        "a queue without weight that is over its nominal takes nothing from others",
                        weighted("A:0:0", "B:1:1", "C:2:1").andRuns("A 1", "B 2"),
                        "A 1",
                        "nobody"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void preemption_between_queues(String sentence, Setting setting, String incoming, String victims) {
        String[] words = incoming.split(" ");
        World world = setting.build().waits("X " + words[0] + " " + words[1]);

        assertThat(world.standing().admits(world.stake("X")) && victims.equals("nobody") ? "nobody" : victims(world))
                .as(sentence)
                .isEqualTo(victims);
    }

    private static String victims(World world) {
        Outcome outcome = new Evictions(world.standing())
                .prospect(world.stake("X"), true, PolicyWorldsTest.EQUAL)
                .search(Place.ANYWHERE);
        if (outcome instanceof Outcome.Evict evict) {
            List<String> names = evict.eviction().victims().stream()
                    .map(victim -> world.tree().name(victim.queue()) + victim.size())
                    .sorted()
                    .toList();
            return String.join(" ", names);
        }
        return "nobody";
    }

    private static Arguments row(String sentence, Setting setting, String incoming, String victims) {
        return arguments(sentence, setting, incoming, victims);
    }

    /** Queues {@code name:nominal:weight} below one root or alone, and what runs in each: {@code queue size size ...}. */
    private record Setting(boolean alone, List<String> queues, List<String> running) {
        Setting andRuns(String... more) {
            return new Setting(alone, queues, Arrays.asList(more));
        }

        World build() {
            World world = new World("gpu");
            if (!alone) {
                world.queue("root", null, 1, 0);
            }
            for (String queue : queues) {
                String[] parts = queue.split(":");
                world.queue(parts[0], alone ? null : "root", Long.parseLong(parts[2]), Long.parseLong(parts[1]));
            }
            int number = 0;
            for (String queue : running) {
                String[] words = queue.split(" ");
                for (int i = 1; i < words.length; i++) {
                    world.runs("g" + number++ + " " + words[0] + " " + words[i]);
                }
            }
            return world;
        }

        @Override
        public String toString() {
            return queues + " with " + running;
        }
    }

    private static Setting world(String[] queues, String... running) {
        return weighted(Arrays.stream(queues).map(queue -> queue + ":1").toArray(String[]::new))
                .andRuns(running);
    }

    private static Setting weighted(String... queues) {
        return new Setting(false, Arrays.asList(queues), List.of());
    }

    private static Setting alone(String queue, int nominal) {
        return new Setting(true, List.of(queue + ":" + nominal + ":1"), List.of());
    }
}

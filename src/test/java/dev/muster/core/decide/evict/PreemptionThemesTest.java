package dev.muster.core.decide.evict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.share.World;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Situations that every queue system meets, theme by theme, in one tree and with what Muster's policy makes of them. Each
 * gang loses as much as every other. A row that says "on purpose" is one in which others decide differently.
 *
 * <p>Queues: {@code name(parent):nominal/borrowingLimit/lendingLimit}, amounts of two resources as {@code a+b}. Gangs:
 * {@code name queue size@priority}; {@code !name} is firm.
 */
class PreemptionThemesTest {
    private static final Pattern QUEUE =
            Pattern.compile("(\\w+)(?:\\((\\w+)\\))?:([0-9+]+)(?:/([0-9-]+))?(?:/([0-9]+))?");

    static Stream<Arguments> inOneQueue() {
        return Stream.of(
                row("the lowest priority goes first", "A:4", "low A 1@-2, mid A 1@-1, same A 2", "A 1", "low"),
                row("as many go as are needed", "A:4", "a A 1@-1, b A 1@-1, c A 1@-1, d A 1", "A 3", "a b c"),
                row("nobody goes when all that may go are too few", "A:4", "same A 2, low A 2@-1", "A 3", "nobody"),
                row("who is not needed stays, however low", "A:4", "low A 1@-2, mid A 3@-1", "A 3", "mid"),
                row("equal priority is no reason, whoever came first", "A:1", "a A 1", "A 1", "nobody"),
                row("firm gangs never go, whatever their priority", "A:1", "!a A 1@-9", "A 1", "nobody"),
                row(
                        "only gangs go that have what is missing: the other class is left alone",
                        "A:2+2",
                        "one A 2+0@-1, two A 0+2@-1",
                        "A 0+1",
                        "two"),
                row(
                        "of two resources only the exhausted one is made free",
                        "A:4+4",
                        "cpu A 4+0@-1, gpu A 0+2@-1",
                        "A 2+2",
                        "cpu"),
                row(
                        "both go when both resources are missing",
                        "A:4+4",
                        "cpu A 4+0@-1, gpu A 0+4@-1",
                        "A 2+2",
                        "cpu gpu"));
    }

    static Stream<Arguments> betweenQueues() {
        return Stream.of(
                row("a borrower gives nominal back", "R:0 A(R):2 B(R):2", "b1 B 2, b2 B 2", "A 2", "b2"),
                row(
                        "nothing is to be taken back from queues at nominal",
                        "R:0 A(R):2 B(R):2",
                        "a A 2, b B 2",
                        "A 1",
                        "nobody"),
                row(
                        "on purpose priority of the borrower does not matter: nominal is nominal",
                        "R:0 A(R):2 B(R):2",
                        "b1 B 2@9, b2 B 2@9",
                        "A 2",
                        "b2"),
                row(
                        "nominal comes from all borrowers together",
                        "R:0 A(R):4 B(R):1 C(R):1",
                        "b B 3, c C 3",
                        "A 4",
                        "b c"),
                row(
                        "a queue that borrows makes room by its own lower priorities, the last that came first",
                        "R:0 A(R):2 B(R):2",
                        "a1 A 1@-1, a2 A 1@-1, a3 A 1@-1, b B 1",
                        "A 2",
                        "a2 a3"),
                row(
                        "borrowing one resource does not hinder making room in another",
                        "R:0+0 A(R):2+2 B(R):2+2",
                        "a1 A 3+0, a2 A 0+2@-1, b B 0+2",
                        "A 0+2",
                        "a2"),
                row(
                        "at the borrowing limit nobody else can be asked",
                        "R:0 A(R):1/1 B(R):3",
                        "a1 A 1, a2 A 1, b B 1",
                        "A 1",
                        "nobody"),
                row(
                        "at the borrowing limit the own lower priority goes",
                        "R:0 A(R):1/1 B(R):3",
                        "a1 A 1@-1, a2 A 1, b B 1",
                        "A 1",
                        "a1"),
                row(
                        "of what is lent at most the lending limit has to be taken back",
                        "R:0 A(R):4/-/1 B(R):4",
                        "b1 B 4, b2 B 1",
                        "A 4",
                        "b2"),
                row(
                        "the borrower goes before the own lower priority",
                        "R:0 A(R):3 B(R):2",
                        "a1 A 2@-1, b1 B 2, b2 B 1",
                        "A 1",
                        "b2"),
                row(
                        "firm borrowed work stays where the lender consented",
                        "R:0 A(R):2 B(R):2",
                        "!b B 2, a A 2",
                        "A 1",
                        "nobody"));
    }

    static Stream<Arguments> inTrees() {
        return Stream.of(
                row(
                        "the side below its quota comes before priority",
                        "R:0 L(R):0 l(L):4 M(R):0 m(M):0",
                        "m1 m 4@9",
                        "l 4",
                        "m1"),
                row(
                        "queues within nominal are left alone: the borrower on the far side goes",
                        "R:0 L(R):0 l(L):4 l2(L):2 M(R):0 m(M):0",
                        "n l2 2, m1 m 4",
                        "l 4",
                        "m1"),
                row(
                        "a sister within the group goes before nobody: only who is beyond",
                        "R:0 L(R):4 l(L):0 l2(L):0 M(R):4 m(M):0",
                        "s1 l2 2, s2 l2 2, m1 m 4",
                        "l 2",
                        "s2"),
                row(
                        "borrower and own lower priority, mixed: the borrower first",
                        "R:0 L(R):0 l(L):4 M(R):0 m(M):0",
                        "own l 2@-1, m1 m 2",
                        "l 2",
                        "m1"),
                row(
                        "both are needed: both go",
                        "R:0 L(R):0 l(L):4 M(R):0 m(M):0",
                        "own l 2@-1, m1 m 2",
                        "l 4",
                        "m1 own"),
                row(
                        "without enough to be had nobody goes",
                        "R:0 L(R):0 l(L):4 M(R):0 m(M):2",
                        "!own l 2, m1 m 4",
                        "l 3",
                        "nobody"),
                row(
                        "what a group does not lend nobody can ask for",
                        "R:0 L(R):4/-/0 l(L):0 M(R):2 m(M):0",
                        "l1 l 2, m1 m 2",
                        "m 2",
                        "nobody"),
                row(
                        "a group takes back only what it lent",
                        "R:0 L(R):4/-/2 l(L):0 M(R):0 m(M):0",
                        "m1 m 1, m2 m 1",
                        "l 3",
                        "m2"),
                row(
                        "two resources: the borrower of the missing one goes",
                        "R:0+0 L(R):0+0 l(L):4+4 M(R):0+0 m(M):0+0",
                        "m1 m 4+0, m2 m 0+4",
                        "l 0+4",
                        "m2"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"inOneQueue", "betweenQueues", "inTrees"})
    void who_goes(String sentence, World world, String victims) {
        Outcome outcome = world.standing().admits(world.stake("X"))
                ? new Outcome.Refused(NoEviction.NO_LEGAL_VICTIM)
                : new Evictions(world.standing())
                        .prospect(world.stake("X"), true, PolicyWorldsTest.EQUAL)
                        .search(Place.ANYWHERE);

        String gone = outcome instanceof Outcome.Evict evict
                ? String.join(
                        " ",
                        evict.eviction().victims().stream()
                                .map(world::nameOf)
                                .sorted()
                                .toList())
                : "nobody";
        assertThat(gone).as(sentence + ": " + outcome).isEqualTo(victims);
    }

    private static Arguments row(String sentence, String queues, String running, String incoming, String victims) {
        boolean two = queues.contains("+");
        World world = two ? new World("one", "two") : new World("gpu");
        for (String queue : queues.split(" ")) {
            Matcher parts = QUEUE.matcher(queue);
            if (!parts.matches()) {
                throw new IllegalArgumentException("no queue: " + queue);
            }
            long[] nominal = Arrays.stream(parts.group(3).split("\\+"))
                    .mapToLong(Long::parseLong)
                    .toArray();
            world.queue(parts.group(1), parts.group(2), 1, nominal, limit(parts.group(4)), limit(parts.group(5)), 0);
        }
        List.of(running.split(", ")).forEach(gang -> world.runs(gang));
        world.waits("X " + incoming);
        return arguments(sentence, world, victims);
    }

    private static OptionalLong limit(String text) {
        return text == null || text.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }
}

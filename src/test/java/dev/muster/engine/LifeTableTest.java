package dev.muster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.metrics.CountedCluster;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole state machine of a gang: what each thing that can happen does in each stage of its life. */
class LifeTableTest {
    private static final List<String> STAGES =
            List.of("waiting", "resting", "held", "admitted", "running", "short", "told", "leaving", "finished");
    private static final List<String> EVENTS = List.of(
            "ready",
            "image",
            "struck",
            "late",
            "member",
            "node",
            "drain",
            "due",
            "time",
            "saved",
            "gone",
            "succeeds",
            "fails",
            "deleted",
            "hand");

    private static List<String[]> table() throws IOException {
        try (InputStream file = Objects.requireNonNull(LifeTableTest.class.getResourceAsStream("/life/table.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .toList();
        }
    }

    static Stream<Arguments> eachCellIsAsTheTableSays() throws IOException {
        return table().stream().map(row -> arguments((Object[]) row));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void eachCellIsAsTheTableSays(
            String sentence, String stage, String event, String next, String writes, String announced) {
        // given
        LifeStages life = new LifeStages();
        life.reach(stage);
        assertThat(life.stage()).as("the stage before").isEqualTo(stage);
        // when
        life.happen(event);
        List<Action> own = life.world.settle().stream()
                .filter(action -> action.target().uid().equals(life.gang.uid()))
                .toList();
        // then
        assertThat(List.of(
                        life.stage(),
                        text(own.stream().map(Action::kind)),
                        text(own.stream()
                                .flatMap(action -> Announcement.of(action).stream())
                                .map(Announcement::reason)),
                        counted(own)))
                .as(sentence)
                .isEqualTo(List.of(next, writes, announced, writes));
    }

    private static String text(Stream<String> parts) {
        String text = parts.collect(Collectors.joining(", "));
        return text.isEmpty() ? "-" : text;
    }

    /** The actions that the metric has counted. */
    private static String counted(List<Action> actions) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new CountedCluster(new NoCluster(), registry).carryOut(new Plan(actions, false, Long.MAX_VALUE));
        return text(registry.find("muster.decisions").counters().stream()
                .filter(counter -> counter.count() == 1)
                .map(Counter::getId)
                .map(id -> Objects.requireNonNull(id.getTag("action"))));
    }

    private record NoCluster() implements Cluster {
        @Override
        public void start(Consumer<Event> events) {}

        @Override
        public void carryOut(Plan plan) {}

        @Override
        public boolean isSynced() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void everyCellIsInTheTableOnce_ByASentenceOfItsOwn() throws IOException {
        List<String> cells = STAGES.stream()
                .flatMap(stage -> EVENTS.stream().map(event -> stage + " " + event))
                .toList();

        assertThat(table()).extracting(row -> row[1] + " " + row[2]).containsExactlyInAnyOrderElementsOf(cells);
        assertThat(table()).extracting(row -> row[0]).doesNotHaveDuplicates();
        assertThat(table()).allSatisfy(row -> assertThat(Arrays.asList(row)).hasSize(6));
    }
}

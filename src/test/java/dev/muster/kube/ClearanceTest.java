package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.kube.Clearance.Action;
import dev.muster.kube.Clearance.State;
import dev.muster.kube.Clearance.Step;
import dev.muster.kube.LeaseTable.Fence;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClearanceTest {
    private static final Clearance TABLE = new Clearance(5);
    private static final Fence OWN = new Fence("u", 4);
    private static final Fence NEXT = new Fence("u", 5);
    private static final List<String> UP = List.of();
    private static final List<String> NODES = List.of("nodes");

    /** One row: in this state, with this fence and these watches down at this time, this follows. */
    record Row(
            String sentence,
            State state,
            @Nullable Fence fence,
            List<String> down,
            long now,
            State next,
            Action action) {
        @Override
        public String toString() {
            return sentence;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row(
                        "a follower with all watches up does nothing",
                        State.NOTHING,
                        null,
                        UP,
                        1,
                        State.NOTHING,
                        Action.NOTHING),
                new Row(
                        "c18: a leader without the node watch decides nothing",
                        State.NOTHING,
                        OWN,
                        NODES,
                        1,
                        new State(null, 1L),
                        Action.NOTHING),
                new Row(
                        "a leader with all watches up prepares",
                        new State(null, 1L),
                        OWN,
                        UP,
                        9,
                        State.NOTHING,
                        Action.PREPARE),
                new Row(
                        "a cleared leader goes on",
                        new State(OWN, null),
                        OWN,
                        UP,
                        1,
                        new State(OWN, null),
                        Action.NOTHING),
                new Row(
                        "a short interruption of a watch stops nothing",
                        new State(OWN, 1L),
                        OWN,
                        NODES,
                        5,
                        new State(OWN, 1L),
                        Action.NOTHING),
                new Row(
                        "a long interruption of a watch stops decisions",
                        new State(OWN, 1L),
                        OWN,
                        NODES,
                        6,
                        new State(null, 1L),
                        Action.STOP),
                new Row("a lost lease stops decisions", new State(OWN, null), null, UP, 1, State.NOTHING, Action.STOP),
                new Row(
                        "a new fence of our own stops decisions too, until all is listed anew",
                        new State(OWN, null),
                        NEXT,
                        UP,
                        1,
                        State.NOTHING,
                        Action.STOP));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void followsTheTable(Row row) {
        assertThat(TABLE.look(row.state(), Optional.ofNullable(row.fence()), row.down(), row.now()))
                .isEqualTo(new Step(row.next(), row.action()));
    }
}

package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.kube.LeaseTable.Action;
import dev.muster.kube.LeaseTable.Fence;
import dev.muster.kube.LeaseTable.Seen;
import dev.muster.kube.LeaseTable.State;
import dev.muster.kube.LeaseTable.State.Following;
import dev.muster.kube.LeaseTable.State.Leading;
import dev.muster.kube.LeaseTable.Step;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LeaseTableTest {
    private static final LeaseTable TABLE = new LeaseTable("me", 15, 10);
    private static final Seen OTHERS = new Seen("u", "other", 3, "100");
    private static final Seen OTHERS_RENEWED = new Seen("u", "other", 3, "101");
    private static final Seen RELEASED = new Seen("u", "", 3, "102");
    private static final Seen MINE = new Seen("u", "me", 4, "103");
    private static final Leading LEADING = new Leading(new Fence("u", 4), 100);

    /** One row: when this is the state and that is read at this time, then this follows. */
    record Row(String sentence, State state, @Nullable Seen read, long now, State next, Action action) {
        @Override
        public String toString() {
            return sentence;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("no lease: create it", LeaseTable.start(0), null, 5, new Following(null, 5), Action.CREATE),
                new Row(
                        "another's lease, first seen: its time starts now, whatever it says of itself",
                        LeaseTable.start(0),
                        OTHERS,
                        50,
                        new Following(OTHERS, 50),
                        Action.NOTHING),
                new Row(
                        "another's lease, unchanged for less than its duration: wait",
                        new Following(OTHERS, 50),
                        OTHERS,
                        64,
                        new Following(OTHERS, 50),
                        Action.NOTHING),
                new Row(
                        "another's lease, unchanged for its duration: take it",
                        new Following(OTHERS, 50),
                        OTHERS,
                        65,
                        new Following(OTHERS, 50),
                        Action.TAKE),
                new Row(
                        "another's lease was renewed: its time starts anew",
                        new Following(OTHERS, 50),
                        OTHERS_RENEWED,
                        65,
                        new Following(OTHERS_RENEWED, 65),
                        Action.NOTHING),
                new Row(
                        "a released lease: take it at once",
                        new Following(OTHERS, 50),
                        RELEASED,
                        51,
                        new Following(RELEASED, 51),
                        Action.TAKE),
                new Row("my lease while I lead: renew", LEADING, MINE, 105, LEADING, Action.RENEW),
                new Row(
                        "my lease, but past the renew deadline: I lost it, and it changes hands again",
                        LEADING,
                        MINE,
                        110,
                        new Following(MINE, 110),
                        Action.TAKE),
                new Row(
                        "the lease went to another while I led: follow",
                        LEADING,
                        new Seen("u", "other", 5, "104"),
                        105,
                        new Following(new Seen("u", "other", 5, "104"), 105),
                        Action.NOTHING),
                new Row(
                        "my name on a lease that was made anew: the old fence is worth nothing",
                        LEADING,
                        new Seen("v", "me", 0, "200"),
                        105,
                        new Following(new Seen("v", "me", 0, "200"), 105),
                        Action.TAKE),
                new Row(
                        "the lease is gone while I led: make it",
                        LEADING,
                        null,
                        105,
                        new Following(null, 105),
                        Action.CREATE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void followsTheTable(Row row) {
        assertThat(TABLE.observe(row.state(), row.read(), row.now())).isEqualTo(new Step(row.next(), row.action()));
    }

    @Test
    void aLeaderCountsFromBeforeItsRenewalWasSent() {
        // given
        State leading = TABLE.written(MINE, 100);
        // then
        assertThat(leading).isEqualTo(LEADING);
        assertThat(TABLE.fence(leading, 109)).isEqualTo(new Fence("u", 4));
        assertThat(TABLE.fence(leading, 110)).isNull();
    }

    @Test
    void theClockMayPassTheLargestLong() {
        // given
        State leading = TABLE.written(MINE, Long.MAX_VALUE - 2);
        // then
        assertThat(TABLE.fence(leading, Long.MIN_VALUE + 5)).isNotNull();
        assertThat(TABLE.fence(leading, Long.MIN_VALUE + 8)).isNull();
    }

    @Test
    void aDeadlineAtOrAboveTheDurationIsRefused() {
        assertThatThrownBy(() -> new LeaseTable("me", 10, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below the lease duration");
    }
}

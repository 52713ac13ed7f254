package dev.muster.core.decide.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RunTimesTest {
    private static final long DAY = 86_400_000;

    @Test
    void theLengthsAreHalfPowersOfTwo() {
        assertThat(LongStream.of(1, 60_000, 60_001, 85_000, 86_000, 121_000, 171_000, 241_000, 340_000, 480_001)
                        .map(HalfPowers::roundUp))
                .containsExactly(
                        60_000L, 60_000L, 85_000L, 85_000L, 120_000L, 170_000L, 240_000L, 339_000L, 480_000L, 679_000L);
    }

    @Test
    void fourRunsShowNothingAndTheFifthDoes() {
        RunTimes four = runs(RunTimes.NONE, 4, 100_000, DAY);

        assertThat(four.quantile(75)).isEmpty();
        assertThat(four.with(100_000, DAY).quantile(75)).isEqualTo(OptionalLong.of(120_000));
    }

    @Test
    void aQuantileIsTheLengthThatSoManyPercentKept() {
        // given 7 runs of two minutes, 2 of an hour and one of a day
        RunTimes times = runs(runs(runs(RunTimes.NONE, 7, 120_000, DAY), 2, 3_600_000, DAY), 1, DAY, DAY);

        assertThat(LongStream.of(50, 70, 75, 90, 91)
                        .map(p -> times.quantile((int) p).orElse(0)))
                .containsExactly(120_000L, 120_000L, 3_840_000L, 3_840_000L, HalfPowers.roundUp(DAY));
    }

    @Test
    void aRunCountsHalfAfterFourteenDays() {
        // given 10 short runs, and 14 days later 5 long ones
        RunTimes times = runs(runs(RunTimes.NONE, 10, 60_000, DAY), 5, 3_600_000, 15 * DAY);

        // then both kinds weigh the same, within the rounding of the daily steps
        assertThat(times.weights().get(0)).isBetween((5L << 20) * 999 / 1000, (5L << 20) * 1001 / 1000);
        assertThat(times.quantile(49)).isEqualTo(OptionalLong.of(60_000));
        assertThat(times.quantile(51)).isEqualTo(OptionalLong.of(3_840_000));
    }

    private static RunTimes runs(RunTimes before, int count, long length, long now) {
        RunTimes times = before;
        for (int i = 0; i < count; i++) {
            times = times.with(length, now);
        }
        return times;
    }
}

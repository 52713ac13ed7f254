package dev.muster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.engine.EngineSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One recorded week on 32 nodes of 8 GPUs, everything firm, in one queue; seconds to first start. */
class WeekTest {
    private static final Cell CELL = new Cell(32, 8, List.of(Cell.queue("all", null, 256)));
    private static final Trace WEEK = Traces.week().inOneQueue("all").withBounds(1);

    @Test
    void reservationsCutTheWaitOfLargeGangsAndCostTheOthersLittle() {
        Measured without = replay(0);
        Measured with = replay(4);

        // then all jobs ran, and nothing was overshot
        assertThat(with.unstarted()).isZero();
        assertThat(with.overshoots()).isZero();
        // and gangs over 8 GPUs waited less than half, while the average stays below an hour
        assertThat(with.averageWait(8) * 2).isLessThan(without.averageWait(8));
        assertThat(with.averageWait()).isLessThan(3_600);
    }

    @Test
    void theSameWeekTwiceIsTheSamePlan() {
        assertThat(replay(2, 1_500)).isEqualTo(replay(2, 1_500));
    }

    private static Measured replay(int ranks) {
        return replay(ranks, WEEK.jobs().size());
    }

    private static Measured replay(int ranks, int jobs) {
        EngineSettings settings = EngineSettings.DEFAULT.with(new EngineSettings.Reserving(ranks, 43_200_000, 50));
        return new Replay(settings, CELL, new Trace(WEEK.jobs().subList(0, jobs)), 0).run();
    }
}

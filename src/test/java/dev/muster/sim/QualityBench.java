package dev.muster.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.muster.core.model.Queue;
import dev.muster.engine.EngineSettings;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two recorded months against the bars of quality; runs with -Dmuster.bench=true only. */
@EnabledIfSystemProperty(named = "muster.bench", matches = "true", disabledReason = "a benchmark: -Dmuster.bench=true")
class QualityBench {
    private static final long SEED = 1;
    private Trace trace = new Trace(List.of());

    @BeforeEach
    void read() {
        assumeThat(Traces.twoMonths())
                .as("the trace; -Dmuster.traces names its folder")
                .isPresent();
        trace = Traces.twoMonths().orElseThrow();
    }

    @ParameterizedTest(name = "{0} nodes, bounds {1}: at most {2} s, over 8 GPUs {3} s")
    @CsvSource({"64, true, 10000, 50000", "64, false, 24000, 95000", "80, true, 2100, 4500"})
    void oneQueueEverythingFirm(int nodes, boolean bounds, long bar, long barOfLarge) {
        Trace one = trace.inOneQueue("all");
        Cell cell = new Cell(nodes, 8, List.of(Cell.queue("all", null, nodes * 8L)));

        Measured measured = new Replay(EngineSettings.DEFAULT, cell, bounds ? one.withBounds(SEED) : one, 0).run();

        System.out.println(nodes + " nodes, bounds " + bounds + ": " + measured);
        assertThat(measured.overshoots()).isZero();
        assertThat(measured.unstarted()).isZero();
        assertThat(measured.averageWait()).isLessThanOrEqualTo(bar);
        assertThat(measured.averageWait(8)).isLessThanOrEqualTo(barOfLarge);
    }

    @Test
    void teamsWithQuotaAndHalfOfTheWorkInterruptible() {
        Trace teams = trace.withBounds(SEED).withInterruptible(50, SEED + 1);
        Measured fixed = replay(teams, Teams.queues(teams, 512, false));
        Measured shared = replay(teams, Teams.queues(teams, 512, true));

        System.out.println("teams, fixed quotas: " + fixed + " " + fixed.averageWaitByQueue());
        System.out.println("teams, one root: " + shared + " " + shared.averageWaitByQueue());
        assertThat(shared.overshoots()).isZero();
        assertThat(shared.unstarted()).isZero();
        assertThat(shared.averageWait() * 5).isLessThanOrEqualTo(fixed.averageWait());
        shared.averageWaitByQueue()
                .forEach((team, wait) -> assertThat(wait)
                        .as("average wait of team " + team)
                        .isLessThanOrEqualTo(fixed.averageWaitByQueue().getOrDefault(team, 0L)));
    }

    private static Measured replay(Trace trace, List<Queue> queues) {
        return new Replay(EngineSettings.DEFAULT, new Cell(64, 8, queues), trace, 0).run();
    }
}

package dev.muster.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.engine.EngineSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final Cell TWO_NODES = new Cell(2, 8, List.of(Cell.queue("all", null, 16)));

    @Test
    void whatFitsStartsAtOnceAndWhatDoesNotWaitsForAnEnd() {
        // given a gang that takes both nodes for 100 s, and a small job 10 s later
        Trace trace = Trace.parse(List.of("id,submit_s,tenant,gpus,duration_s", "0,0,a,16,100", "1,10,b,1,50"))
                .inOneQueue("all");

        // when it is replayed
        Measured measured = new Replay(EngineSettings.DEFAULT, TWO_NODES, trace, 0).run();

        // then the second waits for the end of the first
        assertThat(measured.runs()).extracting(Measured.Run::startedAt).containsExactly(0L, 100_000L);
        assertThat(measured.runs()).extracting(Measured.Run::endedAt).containsExactly(100_000L, 150_000L);
        assertThat(measured.averageWait()).isEqualTo(45);
        assertThat(measured.averageWait(8)).isZero();
        assertThat(measured.unstarted()).isZero();
        assertThat(measured.overshoots()).isZero();
    }

    @Test
    void aStoppedGangStartsAgainAndItsLossIsCounted() {
        // given an interruptible job on all quota, and a firm one of the owner of half of it 20 minutes later
        Cell cell = new Cell(
                2, 8, List.of(Cell.queue("root", null, 0), Cell.queue("a", "root", 8), Cell.queue("b", "root", 8)));
        Trace trace = Trace.parse(List.of("id,submit_s,tenant,gpus,duration_s", "0,0,a,16,3600", "1,1200,b,8,60"));
        Trace mixed = new Trace(
                List.of(trace.jobs().get(0).interruptible(true), trace.jobs().get(1)));

        // when it is replayed
        Measured measured = new Replay(EngineSettings.DEFAULT, cell, mixed, 0).run();

        // then the borrower had its minute, lost its 21 minutes of 16 GPUs, and ran again afterwards
        assertThat(measured.preemptions()).isEqualTo(1);
        assertThat(measured.lostGpuSeconds()).isEqualTo(16 * 1_260);
        assertThat(measured.runs()).extracting(run -> run.job().name()).containsExactly("job-1", "job-0");
        assertThat(measured.runs()).extracting(Measured.Run::endedAt).containsExactly(1_320_000L, 4_920_000L);
        assertThat(measured.overshoots()).isZero();
    }

    @Test
    void aLineOfAnotherFormIsNamed() {
        assertThatThrownBy(() -> Trace.parse(List.of("id,submit_s", "7,8")))
                .hasMessage("line 2 has 2 fields instead of id,submit_s,tenant,gpus,duration_s: \"7,8\"."
                        + " Maybe the file is of another format.");
    }
}

package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.model.Attempt;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTextTest {
    private static Attempt attempt(int number, long until) {
        return new Attempt(
                number,
                1_000L * number,
                until,
                "StartFailed",
                Fault.JOB,
                false,
                List.of(
                        new Attempt.Loss("train-0", "n1", 137, "OOMKilled", "out of memory"),
                        new Attempt.Loss("train-1", "", 0, "Unschedulable", "")));
    }

    @Test
    void whatIsWrittenIsReadBack_AlsoOfAnAttemptThatIsStillLeaving() {
        PastRuns past = new PastRuns(2, List.of(5_000L), 9_000, 4_000, 1, 3, List.of(attempt(1, 3_000), attempt(2, 0)));

        assertThat(HistoryText.read(HistoryText.write(past))).isEqualTo(past);
    }

    @Test
    void recordsOfEarlierVersionsStayReadable() {
        assertThat(HistoryText.read("{\"version\":1,\"evictions\":3}")).isEqualTo(new PastRuns(3, List.of(), 0));
        assertThat(HistoryText.read("{\"version\":1,\"evictions\":1,\"ranMillis\":60000,"
                        + "\"evictedAt\":[\"1970-01-01T00:00:01Z\"]}"))
                .isEqualTo(new PastRuns(1, List.of(1_000L), 60_000));
    }

    @Test
    void theLongestHistoryStaysBelow16KiB() {
        String text = "\u00e9".repeat(10_000);
        Attempt longest = new Attempt(
                Integer.MAX_VALUE,
                1_700_000_000_000L,
                1_800_000_000_000L,
                "FailedTooOften",
                Fault.CLUSTER,
                false,
                Collections.nCopies(
                        100,
                        new Attempt.Loss(
                                text,
                                text,
                                Integer.MAX_VALUE,
                                text,
                                PodReport.of(PodReport.Trouble.FAILED, 0, "", text)
                                        .message())));
        PastRuns past = PastRuns.NONE;
        for (int i = 0; i < 100; i++) {
            past = past.with(longest, 1_800_000_000_000L + i, true);
            past = past.leaving(new Attempt(i, i, 0, "x", Fault.JOB, true, longest.losses()));
        }

        assertThat(past.last()).hasSize(PastRuns.MOST_TOLD);
        assertThat(HistoryText.write(past).getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(32 * 1024);
        assertThat(HistoryText.write(past).length()).isLessThan(16 * 1024);
    }

    @Test
    void whatIsNoHistoryIsRefused_ButEvidenceThatCannotBeReadIsOnlyEvidence() {
        assertThatThrownBy(() -> HistoryText.read("x")).hasMessageContaining("the history is no JSON");
        assertThat(HistoryText.read("{\"evictions\":1,\"attempts\":[{\"from\":\"yesterday\",\"fault\":\"mars\"}, 7]}")
                        .last())
                .containsExactly(
                        new Attempt(0, 0, 0, "", Fault.NOBODY, false, List.of()),
                        new Attempt(0, 0, 0, "", Fault.NOBODY, false, List.of()));
    }
}

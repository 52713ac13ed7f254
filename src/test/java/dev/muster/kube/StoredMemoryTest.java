package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.TeamQueueStatus;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.decide.reserve.RunTimes;
import dev.muster.engine.Views.Promise;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredMemoryTest {
    private final KubernetesSerialization json = new KubernetesSerialization();

    private <T> T stored(T status, Class<T> type) {
        return json.unmarshal(json.asJson(status), type);
    }

    private TeamQueueStatus queue(QueueMemory memory) {
        return stored(
                new TeamQueueStatus(1L, 0, 0, List.of(), StoredMemory.write(memory), List.of()), TeamQueueStatus.class);
    }

    private GpuNodeClassStatus nodeClass(List<Promise> promises) {
        return stored(
                new GpuNodeClassStatus(1L, 2, 2, null, 0, null, null, null, StoredMemory.write(promises), List.of()),
                GpuNodeClassStatus.class);
    }

    @Test
    void whatIsLearnedOfAQueueIsReadAsItWasWritten() {
        RunTimes times = RunTimes.NONE.with(1_200_000, 1_800_000_000_000L).with(90_000, 1_800_100_000_000L);
        QueueMemory memory = new QueueMemory(
                new QueueMemory.Borrowed(1_300_000, 77, 5, 1_755_000_001), Map.of(1, times, Integer.MAX_VALUE, times));

        assertThat(StoredMemory.read(queue(memory))).isEqualTo(memory);
    }

    @Test
    void aQueueOfWhichNothingIsLearnedHasNothingInItsStatus() {
        assertThat(StoredMemory.write(QueueMemory.NONE)).isNull();
        assertThat(StoredMemory.read(queue(QueueMemory.NONE))).isEqualTo(QueueMemory.NONE);
        assertThat(StoredMemory.read(null)).isEqualTo(QueueMemory.NONE);
    }

    @Test
    void reservationsAreReadAsTheyWereWritten() {
        List<Promise> promises = List.of(
                new Promise("u-1", "team/a", "h100", 1, 1_800_000_000_000L, List.of("n1"), false, 2, Cause.OVERRUN),
                new Promise("u-2", "team/b", "h100", 2, Reservation.NEVER, List.of(), true, 0, Cause.PLANNED));

        assertThat(StoredMemory.promises("h100", nodeClass(promises))).isEqualTo(promises);
    }

    @Test
    void aTimeOrCauseThatCannotBeReadCostsNobodyTheRank() {
        GpuNodeClassStatus.Reserved odd = new GpuNodeClassStatus.Reserved(
                1, "team/a", "u-1", "tomorrow", new GpuNodeClassStatus.NodeList(0, List.of()), false, 0, "Moon");
        GpuNodeClassStatus status =
                new GpuNodeClassStatus(1L, 2, 2, null, 0, null, null, null, List.of(odd), List.of());

        assertThat(StoredMemory.promises("h100", status))
                .containsExactly(
                        new Promise("u-1", "team/a", "h100", 1, Reservation.NEVER, List.of(), false, 0, Cause.PLANNED));
    }
}

package dev.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import dev.muster.engine.Views.GangView;
import dev.muster.engine.Views.Promise;
import dev.muster.web.JobJson.ReservationJson;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What REST says of the reservation that a gang holds. */
class JobJsonTest {
    private static JobJson json(@Nullable Promise promise) {
        return JobJson.of(
                new GangView(
                        "u",
                        "ns",
                        "large",
                        "vision",
                        GangState.WAITING,
                        0,
                        false,
                        0,
                        2,
                        Amounts.of("nvidia.com/gpu", 16),
                        1,
                        new Waiting(Reason.NO_NODE_FITS, "It needs 2 x 8 GPUs.", ""),
                        null,
                        promise),
                new Gpus(Set.of("nvidia.com/gpu")));
    }

    @Test
    void theTimeByWhichItStartsAndTheNodesThatAreKeptAreSaid() {
        Promise promise = new Promise(
                "u", "team/a", "h100", 1, 3_600_000, List.of("n1", "n2"), false, 2, Reservation.Cause.OVERRUN);

        assertThat(json(promise).reservation())
                .isEqualTo(new ReservationJson(
                        "h100", 1, Instant.parse("1970-01-01T01:00:00Z"), List.of("n1", "n2"), false, 2, "Overrun"));
    }

    @Test
    void aTimeThatIsNotKnownIsLeftOut() {
        Promise promise = new Promise(
                "u", "team/a", "h100", 3, Reservation.NEVER, List.of(), false, 0, Reservation.Cause.PLANNED);

        assertThat(json(promise).reservation())
                .isEqualTo(new ReservationJson("h100", 3, null, List.of(), false, 0, "Planned"));
        assertThat(json(null).reservation()).isNull();
    }
}

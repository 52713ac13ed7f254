package dev.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.Promise;
import dev.muster.engine.Views.QueueView;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void whatIsOnlyToBeStoredIsNotShown_SinceReservationsNameGangsOfOthers() throws Exception {
        Published.only(json);
        Promise promise = new Promise("u", "team/secret", "h100", 1, 0, List.of(), false, 0, Reservation.Cause.PLANNED);
        NodeClassView nodeClass =
                new NodeClassView("h100", "nvidia.com/gpu", 0, 0, 0, 0, 0, List.of(), List.of(promise), List.of());
        QueueView queue = new QueueView("vision", null, "lead", 1, List.of(), 0, 0, 0, "", QueueMemory.NONE);

        assertThat(json.writeValueAsString(nodeClass))
                .contains("\"name\":\"h100\"")
                .doesNotContain("secret", "promises");
        assertThat(json.writeValueAsString(queue))
                .contains("\"name\":\"vision\"")
                .doesNotContain("memory");
    }
}

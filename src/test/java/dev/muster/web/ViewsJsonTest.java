package dev.muster.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.QueueView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues and node classes are shown to every account as the views have them. */
class ViewsJsonTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void whatIsOnlyToBeStoredIsNotShown_SinceReservationsNameGangsOfOthers() throws Exception {
        NodeClassView nodeClass = new NodeClassView("h100", "nvidia.com/gpu", 0, 0, 0, 0, 0, List.of(), List.of());
        QueueView queue = new QueueView("vision", null, "lead", 1, List.of(), 0, 0, 0, "");

        assertThat(json.writeValueAsString(nodeClass))
                .contains("\"name\":\"h100\"")
                .doesNotContain("promises");
        assertThat(json.writeValueAsString(queue))
                .contains("\"name\":\"vision\"")
                .doesNotContain("memory");
    }
}

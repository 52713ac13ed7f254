package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpecDefaultsTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void aQueueThatNamesOnlyItsOwner_HasTheDefaultsOfTheSchema() throws JsonProcessingException {
        TeamQueueSpec read = json.readValue("{\"owner\": \"ml-platform\"}", TeamQueueSpec.class);

        assertThat(read)
                .isEqualTo(new TeamQueueSpec(
                        null,
                        "ml-platform",
                        List.of(),
                        1L,
                        List.of(),
                        new TeamQueueSpec.Preemption("10m", "60s"),
                        new TeamQueueSpec.Limits(null, null, null, null),
                        TeamQueueSpec.Ordering.SLOWDOWN,
                        TeamQueueSpec.Unspecific.WARN,
                        Purpose.TRAINING,
                        TeamQueueSpec.Stop.NONE));
    }

    @Test
    void aClassThatNamesOnlyItsOwnerAndSelector_HasTheDefaultsOfTheSchema() throws JsonProcessingException {
        GpuNodeClassSpec read = json.readValue(
                "{\"owner\": \"ml-platform\", \"selector\": {\"gpu\": \"h100\"}}", GpuNodeClassSpec.class);

        assertThat(read)
                .isEqualTo(new GpuNodeClassSpec(
                        "ml-platform",
                        Map.of("gpu", "h100"),
                        null,
                        List.of(),
                        "nvidia.com/gpu",
                        new GpuNodeClassSpec.Accelerator(null, null, null, null),
                        new GpuNodeClassSpec.Facts(null, null, null, null),
                        GpuNodeClassSpec.Sharing.EXCLUSIVE,
                        null,
                        List.of(),
                        null,
                        List.of(),
                        null));
    }

    @Test
    void aClassWithATaintAndNoTolerations_ToleratesItsTaint() throws JsonProcessingException {
        GpuNodeClassSpec read = json.readValue("""
                {"owner": "ml-platform", "selector": {"gpu": "h100"}, "taint": {"key": "nvidia.com/gpu", "effect": "NoSchedule"}}
                """, GpuNodeClassSpec.class);

        assertThat(read.tolerationsToAdd())
                .containsExactly(new TolerationBuilder()
                        .withKey("nvidia.com/gpu")
                        .withOperator("Equal")
                        .withValue("")
                        .withEffect("NoSchedule")
                        .build());
    }
}

package dev.muster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestLabelsTest {
    @Test
    void madeUpMethodsAndPathsAreOneSeries() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(new RequestLabels(Set.of("/api/v1/jobs", "/api/v1/jobs/{namespace}/{name}")));

        registry.counter(
                "http.server.requests", "method", "GET", "uri", "/api/v1/jobs/{namespace}/{name}", "status", "200");
        for (int i = 0; i < 1_000; i++) {
            registry.counter("http.server.requests", "method", "M" + i, "uri", "/api/v1/jobs/ns/" + i, "status", "405");
        }
        registry.counter("muster.writes", "method", "kept", "uri", "kept");

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTags().toString())
                .containsExactlyInAnyOrder(
                        "[tag(method=GET), tag(status=200), tag(uri=/api/v1/jobs/{namespace}/{name})]",
                        "[tag(method=OTHER), tag(status=405), tag(uri=OTHER)]",
                        "[tag(method=kept), tag(uri=kept)]");
    }
}

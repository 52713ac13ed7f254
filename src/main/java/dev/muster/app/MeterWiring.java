package dev.muster.app;

import dev.muster.metrics.ClusterMeters;
import dev.muster.metrics.RequestLabels;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Joins what is measured to the registry that is scraped. */
@ApplicationScoped
public class MeterWiring {
    @Produces
    @Singleton
    ClusterMeters clusterMeters(MeterRegistry registry) {
        return new ClusterMeters(registry);
    }

    /** What of HTTP requests is told apart; a path that is missing here is counted among the others. */
    @Produces
    @Singleton
    MeterFilter requestLabels() {
        return new RequestLabels(Set.of(
                "/api/v1/about",
                "/api/v1/jobs",
                "/api/v1/jobs/{namespace}/{name}",
                "/api/v1/nodeclasses",
                "/api/v1/queues",
                "/api/v1/queues/{name}",
                "/api/v1/stream",
                "/local/apply",
                "NOT_FOUND"));
    }
}

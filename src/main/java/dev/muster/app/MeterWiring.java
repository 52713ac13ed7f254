package dev.muster.app;

import dev.muster.metrics.ClusterMeters;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Joins what is measured to the registry that is scraped. */
@ApplicationScoped
public class MeterWiring {
    @Produces
    @Singleton
    ClusterMeters clusterMeters(MeterRegistry registry) {
        return new ClusterMeters(registry);
    }
}

package dev.muster.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Figures of the work with a real cluster. The number of series is bounded: labels come from fixed sets. */
public final class ClusterMeters {
    private final MeterRegistry registry;

    public ClusterMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Counts one write that ended, and how long it took in nanoseconds. */
    public void wrote(String kind, String outcome, long nanos) {
        registry.counter("muster.writes", "kind", kind, "outcome", outcome).increment();
        registry.timer("muster.write", "kind", kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Shows how far a kind takes part: 1 on, 0 absent, -1 served but not manageable. */
    public void kind(String name, IntSupplier standing) {
        Gauge.builder("muster.kind", standing, IntSupplier::getAsInt)
                .description(
                        "1 when jobs of the kind are managed, 0 when it is not installed, -1 when it cannot be managed")
                .tag("kind", name)
                .strongReference(true)
                .register(registry);
    }

    /** Shows what these say whenever somebody looks. */
    public void watch(BooleanSupplier synced, BooleanSupplier leading, IntSupplier writesInFlight) {
        Gauge.builder("muster.informer.synced", synced, now -> now.getAsBoolean() ? 1 : 0)
                .description("1 when every watch has its first list and is up now")
                .strongReference(true)
                .register(registry);
        Gauge.builder("muster.leading", leading, now -> now.getAsBoolean() ? 1 : 0)
                .description("1 when this process decides and writes")
                .strongReference(true)
                .register(registry);
        Gauge.builder("muster.writes.in.flight", writesInFlight, IntSupplier::getAsInt)
                .description("objects with a write that has not been answered yet")
                .strongReference(true)
                .register(registry);
    }
}

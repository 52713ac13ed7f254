package dev.muster.metrics;

import dev.muster.core.model.Attempt;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.Queue;
import dev.muster.engine.Action;
import dev.muster.engine.Cluster;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** A cluster whose decisions and refused writes are counted, by kind. */
public final class CountedCluster implements Cluster {
    private final Cluster cluster;
    private final MeterRegistry registry;

    public CountedCluster(Cluster cluster, MeterRegistry registry) {
        this.cluster = cluster;
        this.registry = registry;
    }

    @Override
    public void start(Consumer<Event> events) {
        cluster.start(event -> {
            if (event instanceof Event.WriteRefused refused) {
                registry.counter("muster.writes.refused", "refusal", name(refused.refusal()))
                        .increment();
            }
            events.accept(event);
        });
    }

    @Override
    public void carryOut(Plan plan) {
        plan.actions().forEach(action -> {
            registry.counter("muster.decisions", "action", action.kind()).increment();
            if (action instanceof Action.Admit admit) {
                waits(admit.purpose()).record(Duration.ofMillis(admit.waited()));
            }
            if (action instanceof Action.Stop stop) {
                registry.counter("muster.stops", "reason", stop.reason().wireName(), "fault", fault(stop))
                        .increment();
            }
        });
        cluster.carryOut(plan);
    }

    /** Whose fault it is that the gang is stopped, as its evidence says. */
    private static String fault(Action.Stop stop) {
        List<Attempt> told = stop.past() == null ? List.of() : stop.past().last();
        return told.isEmpty()
                ? Fault.NOBODY.wireName()
                : told.get(told.size() - 1).fault().wireName();
    }

    /** Buckets from a second, which is what a service is measured by, to a week. */
    private Timer waits(Queue.Purpose purpose) {
        return Timer.builder("muster.gang.wait")
                .description("From when on a gang waited to its admission")
                .tag("purpose", purpose.wireName())
                .serviceLevelObjectives(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        Duration.ofHours(6),
                        Duration.ofDays(1),
                        Duration.ofDays(7))
                .register(registry);
    }

    @Override
    public boolean isSynced() {
        return cluster.isSynced();
    }

    @Override
    public void close() {
        cluster.close();
    }

    private static String name(Event.Refusal refusal) {
        return refusal.name().toLowerCase(Locale.ROOT);
    }
}

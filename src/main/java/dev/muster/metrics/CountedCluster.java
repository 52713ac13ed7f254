package dev.muster.metrics;

import dev.muster.engine.Action;
import dev.muster.engine.Cluster;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import io.micrometer.core.instrument.MeterRegistry;
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
        plan.actions()
                .forEach(action -> registry.counter("muster.decisions", "action", name(action))
                        .increment());
        cluster.carryOut(plan);
    }

    @Override
    public boolean isSynced() {
        return cluster.isSynced();
    }

    @Override
    public void close() {
        cluster.close();
    }

    private static String name(Action action) {
        if (action instanceof Action.Admit) {
            return "admit";
        } else if (action instanceof Action.Stop) {
            return "stop";
        } else if (action instanceof Action.Release) {
            return "release";
        } else if (action instanceof Action.Mark) {
            return "mark";
        }
        return "place-pod";
    }

    private static String name(Event.Refusal refusal) {
        return refusal.name().toLowerCase(Locale.ROOT);
    }
}

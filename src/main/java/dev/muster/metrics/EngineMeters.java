package dev.muster.metrics;

import dev.muster.engine.Views;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.NodeView;
import dev.muster.engine.Views.QueueView;
import dev.muster.engine.Views.QuotaView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/**
 * Gauges of queues and node classes. Their labels are names of queues, classes and resources, never of jobs; of more than
 * {@value #MOST} queues or classes only the first by name have gauges, and of their quotas the first {@value #MOST_QUOTAS}.
 */
public final class EngineMeters {
    static final int MOST = 500;
    static final int MOST_QUOTAS = 5_000;

    private final Views views;
    private final MultiGauge gangs;
    private final MultiGauge quota;
    private final MultiGauge gpus;
    private final MultiGauge missing;
    private final MultiGauge struck;

    public EngineMeters(Views views, MeterRegistry registry) {
        this.views = views;
        this.gangs = MultiGauge.builder("muster.queue.gangs")
                .description("Gangs of a queue by state")
                .register(registry);
        this.quota = MultiGauge.builder("muster.quota")
                .description(
                        "Nominal quota and use, in the units of the resource (cpu in thousandths, memory in bytes)")
                .register(registry);
        this.gpus = MultiGauge.builder("muster.class.gpus")
                .description("GPUs of a node class, used and free; idle ones on nodes that are not ready are neither")
                .register(registry);
        this.missing = MultiGauge.builder("muster.capacity.missing.nodes")
                .description("Nodes that do not exist yet and that waiting gangs of a node class want")
                .register(registry);
        this.struck = MultiGauge.builder("muster.nodes.struck")
                .description("Nodes of a class that refused members in a row and take none for a while")
                .register(registry);
    }

    /** Takes new values from the engine; to be called every few seconds. */
    public void refresh() {
        List<Row<?>> ofGangs = new ArrayList<>();
        List<Row<?>> ofQuota = new ArrayList<>();
        views.queues().stream().limit(MOST).forEach(queue -> {
            gangs(queue, ofGangs);
            queue.quotas().stream().limit(MOST_QUOTAS - ofQuota.size() / 2).forEach(one -> quota(queue, one, ofQuota));
        });
        List<Row<?>> ofGpus = new ArrayList<>();
        List<Row<?>> ofMissing = new ArrayList<>();
        List<Row<?>> ofStruck = new ArrayList<>();
        views.nodeClasses().stream().limit(MOST).forEach(nodeClass -> {
            gpus(nodeClass, ofGpus);
            ofMissing.add(Row.of(Tags.of("node_class", nodeClass.name()), nodeClass.missingNodes()));
            long out = nodeClass.fleet().stream().filter(NodeView::struck).count();
            ofStruck.add(Row.of(Tags.of("node_class", nodeClass.name()), out));
        });
        gangs.register(ofGangs, true);
        quota.register(ofQuota, true);
        gpus.register(ofGpus, true);
        missing.register(ofMissing, true);
        struck.register(ofStruck, true);
    }

    private static void gangs(QueueView queue, List<Row<?>> rows) {
        rows.add(Row.of(Tags.of("queue", queue.name(), "state", "waiting"), queue.waiting()));
        rows.add(Row.of(Tags.of("queue", queue.name(), "state", "admitted"), queue.admitted()));
        rows.add(Row.of(Tags.of("queue", queue.name(), "state", "running"), queue.running()));
    }

    private static void quota(QueueView queue, QuotaView quota, List<Row<?>> rows) {
        Tags tags = Tags.of("queue", queue.name(), "class", quota.nodeClass(), "resource", quota.resource());
        rows.add(Row.of(tags.and("kind", "nominal"), quota.nominal()));
        rows.add(Row.of(tags.and("kind", "used"), quota.used()));
    }

    private static void gpus(NodeClassView nodeClass, List<Row<?>> rows) {
        Tags tags = Tags.of("class", nodeClass.name());
        rows.add(Row.of(tags.and("state", "free"), nodeClass.freeGpus()));
        rows.add(Row.of(tags.and("state", "used"), nodeClass.usedGpus()));
    }
}

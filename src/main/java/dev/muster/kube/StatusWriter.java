package dev.muster.kube;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.TeamQueue;
import dev.muster.api.TeamQueueStatus;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.model.NodeClass;
import dev.muster.engine.Views;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.Promise;
import dev.muster.engine.Views.QueueView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the status of queues and node classes true. One round writes each object at most once, and only one whose status
 * differs from the stored one; a follower writes nothing. Who calls it says how often.
 */
public final class StatusWriter {
    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(ApiCalls.MANAGER)
            .build();

    private final KubernetesClient client;
    private final Supplier<Optional<Sight>> sight;
    private final BooleanSupplier leading;
    private final Meter meter;
    private final Clock clock;
    private final LongSupplier nanos;

    StatusWriter(
            KubernetesClient client,
            Supplier<Optional<Sight>> sight,
            BooleanSupplier leading,
            Meter meter,
            Clock clock,
            LongSupplier nanos) {
        this.client = client;
        this.sight = sight;
        this.leading = leading;
        this.meter = meter;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** One round. What cannot be written is logged, counted and tried in the next round. */
    public void write(Views views) {
        Optional<Sight> seen = sight.get();
        if (!leading.getAsBoolean() || seen.isEmpty()) {
            return;
        }
        Views.ToStore toStore = views.toStore();
        for (QueueView view : views.queues()) {
            QueueMemory memory = toStore.queues().getOrDefault(view.name(), QueueMemory.NONE);
            seen.get()
                    .queueObjects()
                    .watched()
                    .named("", view.name())
                    .ifPresent(object -> queue(seen.get(), object, view, memory));
        }
        for (NodeClassView view : views.nodeClasses()) {
            NodeClass nodeClass = seen.get().classes().get(view.name());
            List<Promise> promises = toStore.classes().getOrDefault(view.name(), List.of());
            seen.get()
                    .classObjects()
                    .watched()
                    .named("", view.name())
                    .filter(object -> nodeClass != null)
                    .ifPresent(object -> nodeClass(seen.get(), object, view, promises, nodeClass));
        }
    }

    private void queue(Sight seen, TeamQueue object, QueueView view, QueueMemory memory) {
        TeamQueueStatus stored = object.getStatus();
        TeamQueueStatus due = StoredMemory.keeping(
                stored,
                Statuses.of(
                        view,
                        memory,
                        generation(object),
                        stored == null ? List.<Condition>of() : stored.conditions(),
                        clock.instant()));
        if (!due.equals(stored)) {
            patch(TeamQueue.class, new TeamQueue(), view.name(), due).ifPresent(seen.queueObjects()::observe);
        }
    }

    private void nodeClass(
            Sight seen,
            GpuNodeClass object,
            NodeClassView view,
            List<Promise> promises,
            @Nullable NodeClass nodeClass) {
        if (nodeClass == null) {
            return;
        }
        GpuNodeClassStatus stored = object.getStatus();
        GpuNodeClassStatus due = Statuses.of(
                nodeClass,
                view,
                promises,
                seen.classes().values(),
                seen.nodes().values(),
                generation(object),
                stored == null ? List.<Condition>of() : stored.conditions(),
                clock.instant());
        if (!due.equals(stored)) {
            patch(GpuNodeClass.class, new GpuNodeClass(), view.name(), due).ifPresent(seen.classObjects()::observe);
        }
    }

    /** {@code bare} is a new object that gets the name alone, so that the client sends the patch and nothing else. */
    private <T extends CustomResource<?, ?>> Optional<T> patch(Class<T> type, T bare, String name, Object status) {
        long began = nanos.getAsLong();
        String outcome = "done";
        bare.getMetadata().setName(name);
        try {
            String patch = client.getKubernetesSerialization().asJson(Map.of("status", status));
            return Optional.of(
                    client.resources(type).resource(bare).subresource("status").patch(MERGE, patch));
        } catch (KubernetesClientException e) {
            WriteFailed failed = WriteFailed.of(e);
            outcome = failed.refusal().name().toLowerCase(Locale.ROOT);
            LOG.warn("the status of {} {} could not be written: {}", bare.getKind(), name, failed.getMessage());
            return Optional.empty();
        } finally {
            meter.wrote("status", outcome, nanos.getAsLong() - began);
        }
    }

    private static long generation(CustomResource<?, ?> object) {
        Long generation = object.getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }
}

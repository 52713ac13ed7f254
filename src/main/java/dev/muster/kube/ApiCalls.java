package dev.muster.kube;

import dev.muster.api.Marks;
import dev.muster.engine.Event.Refusal;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** {@link Calls} through the Kubernetes client. No call sends more than one request. */
final class ApiCalls implements Calls {
    /** Who Muster is in managedFields and Events. */
    static final String MANAGER = "muster";

    private static final PatchContext MERGE =
            context(PatchType.JSON_MERGE).withFieldValidation("Strict").build();
    private static final PatchContext JSON = context(PatchType.JSON).build();
    private static final PatchContext DRY =
            context(PatchType.JSON_MERGE).withDryRun(List.of("All")).build();
    // exactly six digits: Instant.toString() may give nine, which the API server answers with 400
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int LONGEST_NAME = 200;

    private final KubernetesClient client;
    private final Clock clock;
    private final String instance;
    private final AtomicInteger events = new AtomicInteger();

    /** Calls through a client; {@code instance} names this process in Events. */
    ApiCalls(KubernetesClient client, Clock clock, String instance) {
        this.client = client;
        this.clock = clock;
        this.instance = instance;
    }

    @Override
    public HasMetadata patchJob(KindName kind, String namespace, String name, String mergePatch) throws WriteFailed {
        return call(() -> job(kind, namespace, name, MERGE, mergePatch));
    }

    @Override
    public boolean wouldAccept(KindName kind, String namespace, String name, String fence) throws WriteFailed {
        String patch = "{\"metadata\":{\"annotations\":{\"" + Marks.FENCE + "\":\"" + fence + "\"}}}";
        try {
            call(() -> job(kind, namespace, name, DRY, patch));
            return true;
        } catch (WriteFailed e) {
            if (e.refusal() == Refusal.REPLACED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Optional<HasMetadata> job(KindName kind, String namespace, String name) throws WriteFailed {
        if (kind.equals(KindName.POD)) {
            return pod(namespace, name).map(HasMetadata.class::cast);
        }
        return call(() -> Optional.ofNullable(
                kind.equals(KindName.JOB)
                        ? client.batch()
                                .v1()
                                .jobs()
                                .inNamespace(namespace)
                                .withName(name)
                                .get()
                        : client.genericKubernetesResources(Generic.context(kind))
                                .inNamespace(namespace)
                                .withName(name)
                                .get()));
    }

    @Override
    public Optional<Pod> pod(String namespace, String name) throws WriteFailed {
        return call(() -> Optional.ofNullable(
                client.pods().inNamespace(namespace).withName(name).get()));
    }

    @Override
    public Pod patchPod(String namespace, String name, String jsonPatch) throws WriteFailed {
        Pod target = named(namespace, name);
        return call(() -> client.pods().inNamespace(namespace).resource(target).patch(JSON, jsonPatch));
    }

    private static Pod named(String namespace, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    @Override
    public void deletePod(String namespace, String name, String resourceVersion) throws WriteFailed {
        Pod target = named(namespace, name);
        call(() -> client.pods()
                .inNamespace(namespace)
                .resource(target)
                .lockResourceVersion(resourceVersion)
                .delete());
    }

    @Override
    public void event(HasMetadata regarding, Note note) throws WriteFailed {
        var meta = regarding.getMetadata();
        Instant now = clock.instant();
        String base = meta.getName().length() <= LONGEST_NAME
                ? meta.getName()
                : meta.getName().substring(0, LONGEST_NAME);
        String unique = Long.toHexString(now.toEpochMilli()) + Integer.toHexString(events.incrementAndGet() & 0xffff);
        var event = new EventBuilder()
                .withNewMetadata()
                .withNamespace(meta.getNamespace())
                .withName(base + "." + unique)
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(now)))
                .withReportingController("muster.dev/muster")
                .withReportingInstance(instance)
                .withAction(note.action())
                .withReason(note.reason())
                .withType(note.warning() ? "Warning" : "Normal")
                .withNote(note.text())
                .withRegarding(new ObjectReferenceBuilder()
                        .withApiVersion(regarding.getApiVersion())
                        .withKind(regarding.getKind())
                        .withNamespace(meta.getNamespace())
                        .withName(meta.getName())
                        .withUid(meta.getUid())
                        .build())
                .build();
        call(() -> client.events()
                .v1()
                .events()
                .inNamespace(meta.getNamespace())
                .resource(event)
                .create());
    }

    /** {@code withName(n).patch(..)} would read the job first; {@code resource(item)} sends the PATCH alone. */
    private HasMetadata job(KindName kind, String namespace, String name, PatchContext context, String patch) {
        if (kind.equals(KindName.POD)) {
            return client.pods()
                    .inNamespace(namespace)
                    .resource(named(namespace, name))
                    .patch(context, patch);
        }
        if (!kind.equals(KindName.JOB)) {
            return client.genericKubernetesResources(Generic.context(kind))
                    .inNamespace(namespace)
                    .resource(Generic.named(kind, namespace, name))
                    .patch(context, patch);
        }
        Job target =
                new JobBuilder().withNewMetadata().withName(name).endMetadata().build();
        Resource<Job> resource =
                client.batch().v1().jobs().inNamespace(namespace).resource(target);
        return resource.patch(context, patch);
    }

    private static <R> R call(Supplier<R> request) throws WriteFailed {
        try {
            return request.get();
        } catch (KubernetesClientException e) {
            throw WriteFailed.of(e);
        }
    }

    private static PatchContext.Builder context(PatchType type) {
        return new PatchContext.Builder().withPatchType(type).withFieldManager(MANAGER);
    }
}

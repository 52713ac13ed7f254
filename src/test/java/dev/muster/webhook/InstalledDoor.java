package dev.muster.webhook;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.WebhookCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The door on a real API server: policies and rights as shipped, and a webhook server in this process. Policies stay in
 * the cluster, webhook configurations go with {@link #close}.
 */
final class InstalledDoor implements AutoCloseable {
    private final ControlPlane cluster;
    private final Map<String, Decision> decisions;
    private final WebhookCertificate certificate;
    private final List<HasMetadata> configurations = new ArrayList<>();
    private @Nullable WebhookServer server;
    private int port;

    private InstalledDoor(ControlPlane cluster, Map<String, Decision> decisions) {
        this.cluster = cluster;
        this.decisions = decisions;
        this.certificate = WebhookCertificate.in(Path.of("target", "door-certificate"));
    }

    /** The policies and what changes jobs beside them: the default that needs no facts, and on older servers the webhook for jobs. */
    static InstalledDoor policies(ControlPlane cluster) {
        return new InstalledDoor(cluster, Map.of(Doors.DEFAULT_JOBS, DefaultJob::on, Doors.MUTATE_JOBS, MutateJob::on))
                .install(List.of());
    }

    /** All of it. */
    static InstalledDoor whole(ControlPlane cluster, DoorFacts facts) {
        return new InstalledDoor(cluster, Doors.over(facts))
                .install(List.of(Path.of("webhook/configuration/webhooks.yaml")));
    }

    private InstalledDoor install(List<Path> files) {
        cluster.install(Path.of("manifests/base/namespace.yaml"));
        cluster.install(Path.of("manifests/base/rbac.yaml"));
        cluster.install(Path.of("manifests/crds"));
        cluster.install(Path.of("webhook/policies"));
        // the Lease of a Muster that ran here before would fence the writes that tests make in its name
        cluster.admin()
                .leases()
                .inNamespace("muster-system")
                .withName("muster-leader")
                .delete();
        start();
        List<Path> all = new ArrayList<>(files);
        if (files.isEmpty()) {
            configure(onlyDefaults());
        }
        if (!cluster.knowsMutatingPolicies()) {
            all.add(Path.of("webhook/configuration-before-1.36/jobs.yaml"));
        }
        all.forEach(this::configure);
        Await.until("the policies are in force", this::isInForce);
        return this;
    }

    /** Opens the webhook, on the same port as before if there was one. */
    void start() {
        WebhookServer opened = WebhookServer.open(
                "127.0.0.1",
                port,
                new PemKeyCertOptions()
                        .addCertPath(certificate.cert().toString())
                        .addKeyPath(certificate.key().toString()),
                decisions);
        port = opened.port();
        server = opened;
    }

    /** Closes the webhook; its configurations stay. */
    void stop() {
        WebhookServer open = server;
        if (open != null) {
            open.close();
            server = null;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        configurations.forEach(one -> cluster.admin().resource(one).delete());
        stop();
    }

    private void configure(Path file) {
        cluster.parse(read(file)).forEach(this::configure);
    }

    private HasMetadata onlyDefaults() {
        MutatingWebhookConfiguration shipped =
                cluster.parse(read(Path.of("webhook/configuration/webhooks.yaml"))).stream()
                        .filter(MutatingWebhookConfiguration.class::isInstance)
                        .map(MutatingWebhookConfiguration.class::cast)
                        .findFirst()
                        .orElseThrow();
        shipped.getWebhooks().removeIf(hook -> !hook.getName().equals("default.jobs.muster.dev"));
        return shipped;
    }

    private void configure(HasMetadata object) {
        if (object instanceof MutatingWebhookConfiguration mutating) {
            mutating.getWebhooks().forEach(hook -> reach(hook.getClientConfig()));
        } else if (object instanceof ValidatingWebhookConfiguration validating) {
            validating.getWebhooks().forEach(hook -> reach(hook.getClientConfig()));
        }
        cluster.admin().resource(object).forceConflicts().serverSideApply();
        configurations.add(object);
    }

    private void reach(WebhookClientConfig config) {
        config.setUrl("https://127.0.0.1:" + port + config.getService().getPath());
        config.setService(null);
        config.setCaBundle(certificate.caBundle());
    }

    /** Each policy refuses what it must, in a dry run; they take effect up to a few seconds after they are stored. */
    private boolean isInForce() {
        return isRefused("muster.dev/queue: q", "muster.dev/admission: x", "only Muster writes the annotations")
                && isRefused("muster.dev/managed: \"true\"", "a: b", "it needs the label muster.dev/queue")
                && accepts("muster.dev/queue: q");
    }

    private boolean isRefused(String label, String annotation, String because) {
        try {
            dryRun(label, annotation);
            return false;
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains(because);
        }
    }

    private boolean accepts(String label) {
        Job stored = dryRun(label, "a: b");
        return Boolean.TRUE.equals(stored.getSpec().getSuspend())
                && stored.getSpec().getPodFailurePolicy() != null;
    }

    private Job dryRun(String label, String annotation) {
        Job job = (Job) cluster.parse("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: probe, namespace: default, labels: {%s}, annotations: {%s}}
                spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}
                """.formatted(label, annotation)).get(0);
        return cluster.admin().resource(new JobBuilder(job).build()).dryRun().create();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

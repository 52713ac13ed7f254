package dev.muster.product;

import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.MusterProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a platform engineer installs, from the files that are shipped: resources, rights, policies, webhooks. */
final class Installation {
    /** Kinds that a test control plane has no use for: Muster runs beside it as a process. */
    private static final Set<String> NOT_HERE =
            Set.of("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "Kustomization");

    private static final Set<String> WEBHOOKS =
            Set.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

    /** Part of the names of folders with what takes the place of the mutating policies before Kubernetes 1.36. */
    private static final String FOR_OLDER_CLUSTERS = "before-1.36";

    /** Part of the names of folders with what nobody has to install. */
    private static final String OPTIONAL = "/optional/";

    private Installation() {}

    /** Applies all objects of these folders but the webhook configurations, to stay. */
    static void apply(ControlPlane plane, Path... folders) {
        for (Path folder : folders) {
            for (HasMetadata object : objects(plane, folder)) {
                if (!NOT_HERE.contains(object.getKind()) && !WEBHOOKS.contains(object.getKind())) {
                    plane.admin()
                            .resource(object)
                            .fieldManager("muster-test")
                            .forceConflicts()
                            .serverSideApply();
                }
            }
        }
        plane.install(Path.of("manifests/crds"));
    }

    /** Applies the webhook configurations so that they point at this process; whether there are any. */
    static boolean webhook(ControlPlane plane, MusterProcess muster) {
        boolean any = false;
        for (HasMetadata object : objects(plane, Path.of("webhook"))) {
            if (object instanceof MutatingWebhookConfiguration mutating) {
                mutating.getWebhooks().forEach(hook -> pointAt(hook.getClientConfig(), muster));
            } else if (object instanceof ValidatingWebhookConfiguration validating) {
                validating.getWebhooks().forEach(hook -> pointAt(hook.getClientConfig(), muster));
            } else {
                continue;
            }
            any = true;
            plane.admin()
                    .resource(object)
                    .fieldManager("muster-test")
                    .forceConflicts()
                    .serverSideApply();
        }
        return any;
    }

    /** Removes the webhook configurations. */
    static void removeWebhook(ControlPlane plane) {
        objects(plane, Path.of("webhook")).stream()
                .filter(object -> WEBHOOKS.contains(object.getKind()))
                .forEach(object -> plane.admin().resource(object).delete());
    }

    private static void pointAt(WebhookClientConfig client, MusterProcess muster) {
        String path = client.getService() == null
                ? client.getUrl()
                : client.getService().getPath();
        String only = path.startsWith("https://") ? path.substring(path.indexOf('/', 8)) : path;
        client.setService(null);
        client.setUrl(muster.webhookUri(only).toString());
        client.setCaBundle(muster.caBundle());
    }

    private static List<HasMetadata> objects(ControlPlane plane, Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        boolean older = !plane.knowsMutatingPolicies();
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.toString().contains(OPTIONAL))
                    .filter(file -> older || !file.toString().contains(FOR_OLDER_CLUSTERS))
                    .sorted()
                    .flatMap(file -> plane.parse(Site.read(file)).stream())
                    .filter(object -> !older || !object.getKind().startsWith("MutatingAdmissionPolicy"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be read", e);
        }
    }
}

package dev.muster.app;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.V1AdmissionRegistrationAPIGroupDSL;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whom the API server trusts, by which name, when it calls the webhook: what the webhook configurations of Muster say, each
 * of them read by its name, together at most every ten seconds. One without a caBundle trusts the API server's own
 * authorities, which a file names.
 */
@ApplicationScoped
public class WebhookTrust {
    private static final long FRESH_NANOS = 10_000_000_000L;
    private static final String MUTATING = "MutatingWebhookConfiguration ";
    private static final String VALIDATING = "ValidatingWebhookConfiguration ";

    private final Optional<Path> file;
    private final Supplier<List<Found>> source;
    private final LongSupplier nanos;
    private @Nullable List<Found> known;
    private long knownAt;

    /**
     * A webhook configuration that Muster may have.
     *
     * @param name kind and name
     * @param clients how each of its webhooks is called; null when it is not installed
     */
    record Found(String name, @Nullable List<WebhookClientConfig> clients) {}

    /**
     * What is installed.
     *
     * @param callers each different way in which a configuration makes the API server call
     * @param unfinished configurations that are not installed (on Kubernetes 1.36 and later there is no {@code
     *     muster-jobs}), and those with a webhook that names no authority while others do, as after an update that added one
     */
    record Installed(List<WebhookCaller> callers, List<String> unfinished) {}

    @Inject
    public WebhookTrust(ClusterConfig config, Instance<KubernetesClient> client) {
        this(config.webhookCa(), () -> read(client.get()), System::nanoTime);
    }

    WebhookTrust(Optional<Path> file, Supplier<List<Found>> source, LongSupplier nanos) {
        this.file = file;
        this.source = source;
        this.nanos = nanos;
    }

    /** What is installed, as seen at most ten seconds ago. Throws what the client throws, and when the file cannot be read. */
    synchronized Installed installed() throws IOException {
        List<Found> found = known;
        if (found == null || nanos.getAsLong() - knownAt >= FRESH_NANOS) {
            found = source.get();
            known = found;
            knownAt = nanos.getAsLong();
        }
        String own = file.isPresent() ? Files.readString(file.get(), StandardCharsets.ISO_8859_1) : "";
        Set<WebhookCaller> callers = new LinkedHashSet<>();
        List<String> unfinished = new ArrayList<>();
        for (Found one : found) {
            List<WebhookClientConfig> clients = one.clients();
            if (clients == null) {
                unfinished.add(one.name() + " is not installed");
            } else {
                clients.forEach(client -> callers.add(caller(one.name(), client, own)));
            }
        }
        if (callers.stream().anyMatch(WebhookCaller::trustsSomebody)) {
            callers.stream()
                    .filter(caller -> !caller.trustsSomebody())
                    .map(caller -> caller.configuration() + " has a webhook without caBundle")
                    .distinct()
                    .forEach(unfinished::add);
            callers.removeIf(caller -> !caller.trustsSomebody());
        }
        return new Installed(List.copyOf(callers), unfinished);
    }

    private static WebhookCaller caller(String configuration, WebhookClientConfig client, String own) {
        String bundle = client.getCaBundle();
        String authorities = bundle == null || bundle.isEmpty()
                ? own
                : new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
        return new WebhookCaller(configuration, host(client), authorities);
    }

    /** By which name the API server calls: a service by its DNS name, else the host of the URL. */
    private static String host(WebhookClientConfig client) {
        if (client.getService() != null) {
            return client.getService().getName() + "." + client.getService().getNamespace() + ".svc";
        }
        String host = URI.create(client.getUrl()).getHost();
        return host == null ? "" : host.replaceAll("[\\[\\]]", ""); // an IPv6 address stands in brackets
    }

    private static List<Found> read(KubernetesClient client) {
        V1AdmissionRegistrationAPIGroupDSL v1 = client.admissionRegistration().v1();
        return List.of(
                mutating(v1, "muster"),
                mutating(v1, "muster-jobs"),
                validating(v1, "muster"),
                validating(v1, "muster-kinds"));
    }

    private static Found validating(V1AdmissionRegistrationAPIGroupDSL v1, String name) {
        return found(
                VALIDATING + name,
                v1.validatingWebhookConfigurations().withName(name).get(),
                ValidatingWebhookConfiguration::getWebhooks,
                ValidatingWebhook::getClientConfig);
    }

    private static Found mutating(V1AdmissionRegistrationAPIGroupDSL v1, String name) {
        return found(
                MUTATING + name,
                v1.mutatingWebhookConfigurations().withName(name).get(),
                MutatingWebhookConfiguration::getWebhooks,
                MutatingWebhook::getClientConfig);
    }

    private static <C extends HasMetadata, H> Found found(
            String name,
            @Nullable C configuration,
            Function<C, List<H>> hooks,
            Function<H, WebhookClientConfig> client) {
        return new Found(
                name,
                configuration == null
                        ? null
                        : hooks.apply(configuration).stream().map(client).toList());
    }
}

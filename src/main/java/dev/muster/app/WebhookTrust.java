package dev.muster.app;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The authority that the API server trusts when it calls the webhook: of the configured file, else of the
 * ValidatingWebhookConfiguration {@code muster}, which is asked for at most every ten seconds.
 */
@ApplicationScoped
public class WebhookTrust {
    private static final long FRESH_NANOS = 10_000_000_000L;

    private final Optional<Path> file;
    private final Instance<KubernetesClient> client;
    private final LongSupplier nanos = System::nanoTime;
    private @Nullable Optional<byte[]> known;
    private long knownAt;

    public WebhookTrust(ClusterConfig config, Instance<KubernetesClient> client) {
        this.file = config.webhookCa();
        this.client = client;
    }

    /** PEM text of the authority; empty when no configuration names one. */
    synchronized Optional<byte[]> pem() throws IOException {
        if (file.isPresent()) {
            return Optional.of(Files.readAllBytes(file.get()));
        }
        Optional<byte[]> answer = known;
        if (answer == null || nanos.getAsLong() - knownAt >= FRESH_NANOS) {
            answer = configured();
            known = answer;
            knownAt = nanos.getAsLong();
        }
        return answer;
    }

    private Optional<byte[]> configured() {
        ValidatingWebhookConfiguration configuration = client.get()
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName("muster")
                .get();
        return configuration == null
                ? Optional.empty()
                : configuration.getWebhooks().stream()
                        .map(hook -> hook.getClientConfig().getCaBundle())
                        .filter(bundle -> bundle != null && !bundle.isEmpty())
                        .findFirst()
                        .map(Base64.getDecoder()::decode);
    }
}

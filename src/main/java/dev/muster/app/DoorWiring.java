package dev.muster.app;

import dev.muster.engine.Views;
import dev.muster.webhook.Doors;
import dev.muster.webhook.WebhookServer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import java.util.OptionalInt;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Opens the webhook's port beside a real cluster, with the TLS configuration named {@code webhook}, and keeps its certificate fresh. */
@ApplicationScoped
public class DoorWiring {
    private static final Logger LOG = Logger.getLogger(DoorWiring.class);
    private static final String TLS = "webhook";

    private final TlsConfigurationRegistry registry;
    private final MusterConfig config;
    private final KubeWiring kube;
    private final Views views;
    private volatile @Nullable WebhookServer server;

    public DoorWiring(TlsConfigurationRegistry registry, MusterConfig config, KubeWiring kube, Views views) {
        this.registry = registry;
        this.config = config;
        this.kube = kube;
        this.views = views;
    }

    void open(@Observes StartupEvent ignored) {
        Optional<TlsConfiguration> tls = registry.get(TLS);
        if (kube.cluster().isPresent() && tls.isEmpty()) {
            LOG.error("there is no webhook, for no certificate is configured."
                    + " Maybe set quarkus.tls.webhook.key-store.pem.0.cert and .key");
        }
        kube.cluster()
                .ifPresent(cluster -> tls.ifPresent(certificate -> server = WebhookServer.open(
                        "0.0.0.0",
                        config.webhookPort(),
                        certificate.getKeyStoreOptions(),
                        Doors.over(new KubeFacts(cluster, new EngineOutlook(() -> views))))));
    }

    void renew(@Observes CertificateUpdatedEvent event) {
        WebhookServer open = server;
        if (event.name().equals(TLS) && open != null) {
            open.renew(event.tlsConfiguration().getSSLOptions());
        }
    }

    void close(@Observes ShutdownEvent ignored) {
        WebhookServer open = server;
        if (open != null) {
            open.close();
        }
    }

    /** The port that the webhook listens on; empty when there is none. */
    OptionalInt port() {
        WebhookServer open = server;
        return open == null ? OptionalInt.empty() : OptionalInt.of(open.port());
    }
}

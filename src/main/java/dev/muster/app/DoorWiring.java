package dev.muster.app;

import dev.muster.engine.Views;
import dev.muster.webhook.Doors;
import dev.muster.webhook.WebhookServer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Opens the webhook's port in the mode {@code cluster} when a TLS configuration {@code webhook} is given, and keeps its certificate fresh. */
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

    /** After the engine has opened its cluster. */
    void open(@Observes @Priority(Interceptor.Priority.APPLICATION + 600) StartupEvent ignored) {
        if (kube.cluster().isEmpty()) {
            return;
        }
        Optional<TlsConfiguration> tls = registry.get(TLS);
        if (tls.isEmpty()) {
            LOG.warn(
                    "the webhook is not served: there is no certificate. Maybe set quarkus.tls.webhook.key-store.pem.0.cert"
                            + " and .key");
            return;
        }
        WebhookServer opened = WebhookServer.open(
                "0.0.0.0",
                config.webhookPort(),
                tls.get().getKeyStoreOptions(),
                Doors.over(new KubeDoorFacts(kube.cluster().get(), views)));
        LOG.infof("the webhook is served on port %d", opened.port());
        server = opened;
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
}

package dev.muster.app;

import dev.muster.app.MusterConfig.Mode;
import dev.muster.web.access.Access;
import dev.muster.web.access.TokenAccess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Chooses who may use REST: accounts of a real cluster by their tokens, or everybody. */
@ApplicationScoped
public class AccessWiring {
    private static final Logger LOG = Logger.getLogger(AccessWiring.class);

    /** A setting that cannot be meant is found at the start, not at the first request. */
    void start(@Observes StartupEvent ignored, Access access) {
        LOG.debugf("REST is %s", access.equals(Access.OPEN) ? "open to everybody" : "for accounts of the cluster");
    }

    @Produces
    @Singleton
    Access access(StatusConfig config, ClusterWiring cluster, Instance<KubernetesClient> client) {
        boolean local = cluster.mode() == Mode.LOCAL;
        boolean anonymous = config.anonymous().orElse(local);
        if (local && !anonymous) {
            throw new IllegalStateException(
                    "muster.status.anonymous is false, and a cluster in memory knows no accounts."
                            + " Maybe leave it out, or set muster.mode=cluster");
        }
        if (anonymous && !local) {
            LOG.warn("muster.status.anonymous is true: whoever reaches the port reads jobs of all namespaces");
        }
        return anonymous
                ? Access.OPEN
                : new TokenAccess(new AccessReviews(client.get()), config.patience(), System::nanoTime);
    }
}

package dev.muster.app;

import dev.muster.app.MusterConfig.Mode;
import dev.muster.engine.Cluster;
import dev.muster.metrics.CountedCluster;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Chooses the cluster that Muster drives. */
@ApplicationScoped
public class ClusterWiring {
    private static final Logger LOG = Logger.getLogger(ClusterWiring.class);

    private final ClusterSource source;

    public ClusterWiring(MusterConfig config, @Any Instance<ClusterSource> sources) {
        Mode mode = chosen(config.mode(), System.getenv("KUBERNETES_SERVICE_HOST"), System.getenv("KUBECONFIG"));
        this.source = sources.stream()
                .filter(candidate -> candidate.mode() == mode)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no cluster of mode " + mode + " is part of this build"));
        LOG.infof("muster drives %s", mode == Mode.LOCAL ? "a cluster in memory" : "a Kubernetes cluster");
    }

    /** AUTO means the cluster that the process runs in or that KUBECONFIG names, else the one in memory. */
    static Mode chosen(Mode asked, @Nullable String serviceHost, @Nullable String kubeconfig) {
        if (asked != Mode.AUTO) {
            return asked;
        }
        boolean given = serviceHost != null && !serviceHost.isEmpty() || kubeconfig != null && !kubeconfig.isEmpty();
        return given ? Mode.CLUSTER : Mode.LOCAL;
    }

    /** The mode that was chosen; never AUTO. */
    public Mode mode() {
        return source.mode();
    }

    @Produces
    @Singleton
    Cluster cluster(MeterRegistry registry) {
        return new CountedCluster(source.open(), registry);
    }

    @Produces
    @Singleton
    InstantSource clock() {
        return source.clock();
    }
}

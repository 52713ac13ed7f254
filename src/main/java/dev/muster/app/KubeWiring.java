package dev.muster.app;

import dev.muster.app.ClientWiring.LeaseClient;
import dev.muster.app.MusterConfig.Mode;
import dev.muster.engine.Cluster;
import dev.muster.kube.KubeCluster;
import dev.muster.kube.KubeSettings;
import dev.muster.metrics.ClusterMeters;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The real cluster, opened when the mode {@code cluster} was chosen. */
@ApplicationScoped
public class KubeWiring implements ClusterSource {
    private final ClusterConfig config;
    private final Instance<KubernetesClient> client;
    private final Instance<LeaseClient> leaseClient;
    private final ClusterMeters meters;
    private volatile @Nullable KubeCluster opened;

    public KubeWiring(
            ClusterConfig config,
            Instance<KubernetesClient> client,
            Instance<LeaseClient> leaseClient,
            ClusterMeters meters) {
        this.config = config;
        this.client = client;
        this.leaseClient = leaseClient;
        this.meters = meters;
    }

    @Override
    public Mode mode() {
        return Mode.CLUSTER;
    }

    @Override
    public Cluster open() {
        String host = System.getenv("HOSTNAME");
        String identity = (host == null || host.isEmpty() ? "muster" : host) + "_" + UUID.randomUUID();
        KubeSettings settings = new KubeSettings(
                config.namespace(),
                identity,
                config.leaseDuration(),
                config.renewDeadline(),
                config.retryPeriod(),
                config.watchOutage(),
                config.settle(),
                config.writesInFlight());
        KubeCluster cluster = new KubeCluster(
                client.get(), leaseClient.get().client(), settings, meters::wrote, Clock.systemUTC(), System::nanoTime);
        meters.watch(cluster::isSynced, cluster::isLeading, cluster::writesInFlight);
        opened = cluster;
        return cluster;
    }

    /** The cluster; empty in another mode. */
    public Optional<KubeCluster> cluster() {
        return Optional.ofNullable(opened);
    }
}

package dev.muster.app;

import dev.muster.app.ClientWiring.LeaseClient;
import dev.muster.app.MusterConfig.Mode;
import dev.muster.engine.Cluster;
import dev.muster.files.FileTree;
import dev.muster.kinds.GangKind;
import dev.muster.kinds.KindReader;
import dev.muster.kinds.Kinds;
import dev.muster.kinds.ShippedKinds;
import dev.muster.kube.KubeCluster;
import dev.muster.kube.KubeSettings;
import dev.muster.metrics.ClusterMeters;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The real cluster, opened when the mode {@code cluster} was chosen. */
@ApplicationScoped
public class KubeWiring implements ClusterSource {
    private static final Logger LOG = Logger.getLogger(KubeWiring.class);

    private final ClusterConfig config;
    private final KindsConfig kindsConfig;
    private final Instance<KubernetesClient> client;
    private final Instance<LeaseClient> leaseClient;
    private final ClusterMeters meters;
    private volatile @Nullable KubeCluster opened;

    public KubeWiring(
            ClusterConfig config,
            KindsConfig kindsConfig,
            Instance<KubernetesClient> client,
            Instance<LeaseClient> leaseClient,
            ClusterMeters meters) {
        this.config = config;
        this.kindsConfig = kindsConfig;
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
                config.writesInFlight(),
                kinds(),
                kindsConfig.discovery());
        KubeCluster cluster = new KubeCluster(
                client.get(), leaseClient.get().client(), settings, meters::wrote, Clock.systemUTC(), System::nanoTime);
        meters.watch(cluster::isSynced, cluster::isLeading, cluster::writesInFlight);
        settings.kinds().gangs().forEach(kind -> meters.kind(kind.name().id(), () -> standing(cluster, kind)));
        opened = cluster;
        return cluster;
    }

    /** The shipped kinds and those of the folder; what is wrong with a file is logged, and its kind is as if it were not there. */
    private Kinds kinds() {
        Map<String, String> files = Map.of();
        try {
            if (Files.isDirectory(kindsConfig.folder())) {
                files = new TreeMap<>(FileTree.texts(kindsConfig.folder(), ".yaml"));
                files.keySet().removeIf(file -> file.startsWith("..")); // a mounted ConfigMap has each file twice
            }
        } catch (IOException e) {
            LOG.errorf("the folder %s of kinds cannot be read: %s", kindsConfig.folder(), e.getMessage());
        }
        KindReader.Read read = KindReader.read(ShippedKinds.all(), files);
        read.problems().forEach(problem -> LOG.errorf("a kind is left out: %s", problem));
        return read.kinds();
    }

    /** 1 on, 0 absent or not known yet, -1 off. */
    private static int standing(KubeCluster cluster, GangKind kind) {
        return cluster.kindStates().stream()
                .filter(state -> state.name().equals(kind.name()))
                .mapToInt(state -> switch (state.standing()) {
                    case ON -> 1;
                    case ABSENT -> 0;
                    case OFF -> -1;
                })
                .findFirst()
                .orElse(0);
    }

    /** The cluster; empty in another mode. */
    public Optional<KubeCluster> cluster() {
        return Optional.ofNullable(opened);
    }
}

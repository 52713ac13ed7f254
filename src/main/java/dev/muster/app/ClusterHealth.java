package dev.muster.app;

import dev.muster.kube.KubeCluster;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether Muster is alive and ready. Ready means: every watch is up (of a follower too), and the webhook answers over TLS
 * with a certificate that the API server would trust. Alive means that the engine's thread runs, and asks nobody.
 */
@ApplicationScoped
public class ClusterHealth {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KubeWiring kube;
    private final EngineLoop loop;
    private final MusterConfig config;
    private final TlsProbe probe;

    public ClusterHealth(KubeWiring kube, EngineLoop loop, MusterConfig config, ClusterConfig cluster) {
        this.kube = kube;
        this.loop = loop;
        this.config = config;
        this.probe = new TlsProbe(cluster.webhookCa(), PATIENCE);
    }

    @Produces
    @Liveness
    HealthCheck engine() {
        return () -> HealthCheckResponse.named("engine").status(loop.isAlive()).build();
    }

    @Produces
    @Readiness
    HealthCheck watches() {
        return () -> {
            Optional<KubeCluster> cluster = kube.cluster();
            var answer = HealthCheckResponse.named("watches")
                    .status(cluster.map(KubeCluster::isSynced).orElse(true));
            cluster.ifPresent(real ->
                    answer.withData("down", String.join(", ", real.down())).withData("leading", real.isLeading()));
            return answer.build();
        };
    }

    @Produces
    @Readiness
    HealthCheck webhook() {
        return () -> {
            Optional<String> problem =
                    kube.cluster().flatMap(real -> probe.problem(config.webhookPort(), Instant.now()));
            var answer = HealthCheckResponse.named("webhook").status(problem.isEmpty());
            problem.ifPresent(text -> answer.withData("problem", text));
            return answer.build();
        };
    }
}

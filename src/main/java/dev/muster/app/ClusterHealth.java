package dev.muster.app;

import dev.muster.kube.KubeCluster;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
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
    private final DoorWiring door;
    private final WebhookTrust trust;
    private final TlsProbe probe = new TlsProbe(PATIENCE);

    public ClusterHealth(KubeWiring kube, EngineLoop loop, DoorWiring door, WebhookTrust trust) {
        this.kube = kube;
        this.loop = loop;
        this.door = door;
        this.trust = trust;
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
            Optional<String> problem = kube.cluster().flatMap(cluster -> webhookProblem());
            var answer = HealthCheckResponse.named("webhook").status(problem.isEmpty());
            problem.ifPresent(text -> answer.withData("problem", text));
            return answer.build();
        };
    }

    private Optional<String> webhookProblem() {
        OptionalInt port = door.port();
        if (port.isEmpty()) {
            return Optional.of("no certificate is configured, so there is no webhook");
        }
        try {
            return probe.problem(port.getAsInt(), trust.pem(), Instant.now());
        } catch (IOException | KubernetesClientException e) {
            return Optional.of("it is not known which authority the API server trusts: " + e.getMessage());
        }
    }
}

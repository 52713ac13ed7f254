package dev.muster.app;

import dev.muster.app.WebhookTrust.Installed;
import dev.muster.kube.KindState;
import dev.muster.kube.KubeCluster;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether Muster is alive and ready. Ready means: every watch is up (of a follower too), and the webhook answers over TLS
 * with a certificate that every installed webhook configuration trusts. Alive means that the engine's thread runs, and asks nobody.
 */
@ApplicationScoped
public class ClusterHealth {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KubeWiring kube;
    private final EngineLoop loop;
    private final DoorWiring door;
    private final WebhookTrust trust;
    private final WebhookProbe probe = new WebhookProbe(PATIENCE);

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
            cluster.ifPresent(real -> answer.withData("kinds", kinds(real)));
            return answer.build();
        };
    }

    @Produces
    @Readiness
    HealthCheck webhook() {
        return () -> {
            HealthCheckResponseBuilder answer = HealthCheckResponse.named("webhook");
            List<String> problems =
                    kube.cluster().map(cluster -> problems(answer)).orElse(List.of());
            if (!problems.isEmpty()) {
                answer.withData("problem", String.join("; ", problems));
            }
            return answer.status(problems.isEmpty()).build();
        };
    }

    /** Kinds that are served: those that are managed, and why others are not. */
    private static String kinds(KubeCluster cluster) {
        return cluster.kindStates().stream()
                .filter(state -> state.standing() != KindState.Standing.ABSENT)
                .map(state -> state.name().id() + (state.said().isEmpty() ? "" : " is off: " + state.said()))
                .collect(Collectors.joining("; "));
    }

    private List<String> problems(HealthCheckResponseBuilder answer) {
        OptionalInt port = door.port();
        if (port.isEmpty()) {
            return List.of("no certificate is configured, so there is no webhook."
                    + " Maybe set quarkus.tls.webhook.key-store.pem.0.cert and .key");
        }
        try {
            Installed installed = trust.installed();
            answer.withData("unfinished", String.join(", ", installed.unfinished()));
            return probe.problems(port.getAsInt(), installed, Instant.now());
        } catch (IOException | KubernetesClientException e) {
            return List.of("it is not known whom the API server trusts: " + e.getMessage()
                    + ". Maybe the ClusterRole muster is of an older version, or the API server does not answer");
        }
    }
}

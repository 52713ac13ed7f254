package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shipped to be applied, as a real API server takes it: strictly, and without storing it. */
@OnControlPlane
class ShippedManifestsIT {
    private static final Path BASE = Path.of("manifests", "base");
    private static final PatchContext STRICT_DRY_RUN = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("muster-test")
            .withForce(true)
            .withFieldValidation("Strict")
            .withDryRun(List.of("All"))
            .build();

    private final ControlPlane plane;

    ShippedManifestsIT(ControlPlane plane) {
        this.plane = plane;
    }

    private List<HasMetadata> shipped() throws IOException {
        try (Stream<Path> files = Files.list(BASE)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .flatMap(file -> plane.parse(Site.read(file)).stream())
                    .toList();
        }
    }

    private <T> T only(Class<T> type) throws IOException {
        List<T> found =
                shipped().stream().filter(type::isInstance).map(type::cast).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void everyObjectIsAccepted_AndEveryFileIsPartOfBothInstallations() throws IOException {
        // given the namespace that they name
        plane.install(BASE.resolve("namespace.yaml"));
        // then
        assertThat(shipped())
                .extracting(HasMetadata::getKind)
                .contains("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "ClusterRole");
        for (HasMetadata object : shipped()) {
            HasMetadata answered = plane.admin().resource(object).patch(STRICT_DRY_RUN);
            assertThat(answered.getMetadata().getUid()).as(object.toString()).isNotEmpty();
        }
        try (Stream<Path> files = Files.list(BASE)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".yaml")))
                    .allSatisfy(name ->
                            assertThat(Site.read(BASE.resolve("Kustomization"))).contains("- " + name + "\n"));
        }
        assertThat(Site.read(Path.of("manifests/Kustomization"))).contains("- base\n");
        assertThat(Site.read(Path.of("manifests/before-1.36/Kustomization"))).contains("- ../base\n");
    }

    @Test
    void theNetworkPolicyLetsInToTheDeploymentsPortsAndToNoOther() throws IOException {
        Deployment deployment = only(Deployment.class);
        NetworkPolicy policy = only(NetworkPolicy.class);

        List<String> allowed = policy.getSpec().getIngress().stream()
                .flatMap(rule -> rule.getPorts().stream())
                .map(port -> port.getPort().getStrVal())
                .toList();
        assertThat(allowed)
                .containsExactlyInAnyOrderElementsOf(
                        deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getPorts().stream()
                                .map(ContainerPort::getName)
                                .toList());
        assertThat(policy.getSpec().getPodSelector().getMatchLabels())
                .isEqualTo(deployment.getSpec().getTemplate().getMetadata().getLabels());
        assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
    }

    @Test
    void theDeploymentsPodsAreTakenWherePodSecurityIsRestricted() throws IOException {
        // given a namespace like the shipped one, which enforces restricted
        assertThat(Site.read(BASE.resolve("namespace.yaml")))
                .contains("pod-security.kubernetes.io/enforce: restricted");
        String namespace = plane.newNamespace("restricted");
        plane.admin().namespaces().withName(namespace).edit(object -> {
            object.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", "restricted");
            return object;
        });
        // when its pod is made there, and the same one with a single right more
        Deployment deployment = only(Deployment.class);
        Pod pod = new PodBuilder()
                .withNewMetadataLike(deployment.getSpec().getTemplate().getMetadata())
                .withName("muster")
                .withNamespace(namespace)
                .endMetadata()
                .withSpec(deployment.getSpec().getTemplate().getSpec())
                .build();
        Pod wider = new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .editSecurityContext()
                .withAllowPrivilegeEscalation(true)
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
        // then
        Await.until("the label is seen, and what is wider is refused", () -> {
            try {
                plane.admin().resource(wider).dryRun().create();
                return false;
            } catch (KubernetesClientException e) {
                return String.valueOf(e.getMessage()).contains("violates PodSecurity \"restricted");
            }
        });
        assertThat(plane.admin().resource(pod).dryRun().create().getSpec().getContainers())
                .singleElement()
                .satisfies(container -> {
                    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                            .isTrue();
                    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                            .isFalse();
                    assertThat(container.getSecurityContext().getCapabilities().getDrop())
                            .containsExactly("ALL");
                });
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getVolumes())
                .as("what it may write to is small")
                .filteredOn(volume -> volume.getEmptyDir() != null)
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getEmptyDir().getSizeLimit().toString())
                                .isEqualTo("64Mi"));
    }

    @Test
    void aDrainTakesOneOfTheTwoReplicasAtATime() throws IOException {
        PodDisruptionBudget budget = only(PodDisruptionBudget.class);
        Deployment deployment = only(Deployment.class);

        assertThat(deployment.getSpec().getReplicas()).isEqualTo(2);
        assertThat(budget.getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
        assertThat(budget.getSpec().getSelector().getMatchLabels())
                .isEqualTo(deployment.getSpec().getTemplate().getMetadata().getLabels());
    }

    @Test
    void tokensReachTheDeploymentOverTlsOnly() throws IOException {
        assertThat(only(Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .extracting(variable -> variable.getName() + "=" + variable.getValue())
                .contains(
                        "QUARKUS_HTTP_INSECURE_REQUESTS=disabled",
                        "QUARKUS_HTTP_TLS_CONFIGURATION_NAME=webhook",
                        "QUARKUS_HTTP_SSL_PORT=8443")
                .noneMatch(line -> line.startsWith("MUSTER_STATUS_ANONYMOUS"));
    }

    @Test
    void c53_withMusterAway_ANamespaceThatHasNothingToDoWithItGoesAway() throws IOException {
        // given what a server must answer for, or discovery fails for all: nothing of that kind is shipped
        assertThat(shipped()).extracting(HasMetadata::getKind).doesNotContain("APIService");
        // and policies and webhooks that name a Muster which is not there
        Installation.apply(plane, Path.of("manifests"), Path.of("webhook"));
        // when
        String name = plane.unique("unrelated");
        plane.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        plane.admin().namespaces().withName(name).delete();
        // then
        Await.until(
                "it is gone", () -> plane.admin().namespaces().withName(name).get() == null);
    }
}

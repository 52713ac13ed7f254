package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ground that all other integration tests stand on: nodes take pods, tenants have only their rights, cleaning is thorough. */
@OnControlPlane
class ControlPlaneIT {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: %s}
            spec:
              containers:
              - name: train
                image: example.com/train
                resources: {limits: {nvidia.com/gpu: 8}}
              tolerations: [{key: nvidia.com/gpu, operator: Exists}]
            """;

    private final ControlPlane cluster;

    ControlPlaneIT(ControlPlane cluster) {
        this.cluster = cluster;
    }

    @Test
    void aGpuPodOfATenant_RunsOnTheSimulatedNode() {
        String node = cluster.unique("node");
        String namespace = cluster.newNamespace("vision");
        cluster.nodes(FakeNode.h100(node));
        cluster.grantEdit("alice", namespace);

        cluster.asTenant("alice")
                .resource(cluster.parse(POD.formatted(namespace)).get(0))
                .create();

        Pod running = Await.until(
                "the pod runs",
                () -> cluster.admin()
                        .pods()
                        .inNamespace(namespace)
                        .withName("train")
                        .get(),
                pod -> "Running".equals(pod.getStatus().getPhase()));
        assertThat(running.getSpec().getNodeName()).isEqualTo(node);
    }

    @Test
    void aTenantWithoutAGrant_IsRefused() {
        String namespace = cluster.newNamespace("nlp");

        KubernetesClientException refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> cluster.asTenant("bob").pods().inNamespace(namespace).list());

        assertThat(refusal.getCode()).isEqualTo(403);
        assertThat(refusal.getStatus().getMessage()).contains("User \"bob\" cannot list");
    }

    @Test
    void cleaning_LeavesNeitherPodsNorNodes() {
        String namespace = cluster.newNamespace("vision");
        cluster.nodes(FakeNode.h100(cluster.unique("node")));
        cluster.apply(POD.formatted(namespace));

        cluster.clean();

        assertThat(cluster.admin().nodes().list().getItems()).isEmpty();
        assertThat(cluster.admin().pods().inNamespace(namespace).list().getItems())
                .isEqualTo(List.of());
    }

    @Test
    void aStoppedApiServer_AnswersAgainAfterItsStart() {
        cluster.stopComponent("kube-apiserver");

        assertThat(catchThrowableOfType(
                        KubernetesClientException.class,
                        () -> cluster.admin().namespaces().list()))
                .isNotNull();

        cluster.startComponents();
        Await.until(
                "the administrator is known again",
                () -> cluster.admin().namespaces().list() != null);
    }
}

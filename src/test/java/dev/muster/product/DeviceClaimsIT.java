package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** GPUs that are handed out by claims, with the real scheduler and claim controller; only the driver's slices are written here. */
@OnControlPlane
class DeviceClaimsIT {
    private final ControlPlane plane;

    DeviceClaimsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void gpusByClaimAreChargedAsGpus_PlacedByTheClassThatHandsThemOut_AndNeverFree() {
        assumeTrue(plane.admin().getApiResources("resource.k8s.io/v1") != null, "claims are of Kubernetes 1.34");
        try (Site site = Site.installed(plane, "dra")) {
            // given a node of 8 devices, which stand in a slice and not in what the node says
            String devices = plane.unique("gpus");
            plane.create(deviceClass(devices));
            String nodeClass = plane.unique("claimed");
            plane.create(nodeClass(nodeClass, devices));
            String node = site.nodes(1, nodeClass, DeviceClaimsIT::withoutGpus).get(0);
            plane.create(slice(node, devices));
            String queue =
                    site.queue("dra", "{nodeClass: %s, resource: nvidia.com/gpu, nominal: 8}".formatted(nodeClass));
            String ns = plane.newNamespace("dra");
            site.start();
            plane.create(template(ns, "six", devices, 6));
            plane.create(template(ns, "four", devices, 4));
            plane.create(template(ns, "foreign", "nobody-names-it", 1));
            // when jobs of 6 and of 4 come
            submit(ns, "first", queue, "six");
            site.awaitState(ns, "first", "running");
            submit(ns, "second", queue, "four");
            // then the second waits for quota, as with any GPUs
            assertThat(Facts.sentence(site.awaitSentence(ns, "second", "QuotaExhausted")))
                    .isEqualTo("Queue " + queue + " uses 6 of its 8 " + nodeClass
                            + " GPUs; this gang needs 4 and 2 are left.");
            assertThat(site.pods(ns, "first"))
                    .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(node));
            // and starts when the first has ended
            site.finish(ns, "first");
            site.awaitState(ns, "second", "running");
            // and devices that nobody can charge are refused
            assertThatThrownBy(() -> plane.create(job(ns, "free", queue, "foreign")))
                    .hasMessageContaining("no GpuNodeClass names this DeviceClass, so it cannot be charged");
        }
    }

    private void submit(String ns, String name, String queue, String template) {
        Await.until(
                "the door knows the template",
                Duration.ofSeconds(30),
                () -> plane.create(job(ns, name, queue, template)),
                created -> true);
    }

    private static String job(String ns, String name, String queue, String template) {
        String claim = "resourceClaims: [{name: gpus, resourceClaimTemplateName: " + template + "}]";
        return Gang.of(ns, name, queue, 1, 0)
                .yaml()
                .replace("restartPolicy: Never", "restartPolicy: Never\n      " + claim)
                .replace("limits: {}", "claims: [{name: gpus}]");
    }

    private static FakeNode withoutGpus(FakeNode node) {
        Map<String, Quantity> offers = new TreeMap<>(node.offers());
        offers.remove("nvidia.com/gpu");
        return new FakeNode(node.name(), node.labels(), node.taints(), offers);
    }

    private static String deviceClass(String name) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {selectors: [{cel: {expression: "device.driver == '%s.example.com'"}}]}
                """.formatted(name, name);
    }

    private static String nodeClass(String name, String devices) {
        return """
                apiVersion: muster.dev/v1alpha1
                kind: GpuNodeClass
                metadata: {name: %s}
                spec:
                  owner: platform
                  selector: {test.muster.dev/class: %s}
                  taint: {key: nvidia.com/gpu, value: present, effect: NoSchedule}
                  accelerator: {count: 8, deviceClasses: [%s]}
                """.formatted(name, name, devices);
    }

    private static String slice(String node, String devices) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s}
                spec:
                  driver: %s.example.com
                  nodeName: %s
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  devices: [%s]
                """.formatted(
                node,
                devices,
                node,
                node,
                IntStream.range(0, 8).mapToObj(i -> "{name: gpu-" + i + "}").collect(Collectors.joining(", ")));
    }

    private static String template(String ns, String name, String devices, int count) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: %s, namespace: %s}
                spec: {spec: {devices: {requests: [{name: gpus, exactly: {deviceClassName: %s, count: %d}}]}}}
                """.formatted(name, ns, devices, count);
    }
}

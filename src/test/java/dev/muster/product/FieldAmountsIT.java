package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cases from the field about amounts and names, on the real control plane; the numbers are those of the collection. */
@OnControlPlane
class FieldAmountsIT {
    private final ControlPlane plane;

    FieldAmountsIT(ControlPlane plane) {
        this.plane = plane;
    }

    private static String job(String namespace, String name, String queue, String resources) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, namespace: %s, labels: {muster.dev/queue: %s}}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 1
                      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
                      containers: [{name: main, image: example, resources: %s}]
                """.formatted(name, namespace, queue, resources);
    }

    private static String quotas(Site site, String cpu) {
        return "{nodeClass: %1$s, resource: nvidia.com/gpu, nominal: 8}, {nodeClass: %1$s, resource: cpu, nominal: %2$s}"
                .formatted(site.nodeClass(), cpu);
    }

    @Test
    void c04_aQuotaOf1EIsRefusedWhenWritten_AndARequestBeyondCountingAtTheDoor() {
        try (Site site = Site.installed(plane, "c04")) {
            site.nodes(1);
            assertThatThrownBy(() -> site.queue("wide", quotas(site, "1E")))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.quotas[1].nominal: Invalid value: \"1E\"");
            String narrow = site.queue("narrow", quotas(site, "\"10\""));
            String ns = plane.newNamespace("c04");
            site.start();

            plane.create(job(ns, "fits", narrow, "{limits: {nvidia.com/gpu: 1, cpu: 3}}"));
            site.awaitState(ns, "fits", "running");

            assertThatThrownBy(() -> plane.create(
                            job(ns, "huge", narrow, "{limits: {nvidia.com/gpu: 1, cpu: \"9223372036854775807\"}}")))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("9223372036854775807");
            assertThat(site.job(ns, "huge")).isNull();
        }
    }

    @Test
    void c30_whatIsGivenOnlyAsALimitIsChargedAsTheStoredPodAsksForIt() {
        try (Site site = Site.installed(plane, "c30")) {
            site.nodes(1);
            String queue = site.queue("team", quotas(site, "\"3\""));
            String ns = plane.newNamespace("c30");
            plane.create("""
                    apiVersion: v1
                    kind: LimitRange
                    metadata: {name: defaults, namespace: %s}
                    spec: {limits: [{type: Container, defaultRequest: {cpu: "1"}}]}
                    """.formatted(ns));
            site.start();

            for (String name : List.of("a", "b")) {
                plane.create(job(ns, name, queue, "{limits: {cpu: \"3\", nvidia.com/gpu: 1}}"));
            }

            Await.until("one runs", Duration.ofSeconds(60), () -> running(site, ns), count -> count == 1);
            Await.always(
                    "no other starts",
                    Duration.ofSeconds(3),
                    () -> site.started(ns).size() == 1);
            assertThat(site.pods(ns, site.started(ns).get(0).getMetadata().getName()))
                    .singleElement()
                    .satisfies(pod -> assertThat(pod.getSpec()
                                    .getContainers()
                                    .get(0)
                                    .getResources()
                                    .getRequests()
                                    .get("cpu")
                                    .toString())
                            .isEqualTo("3"));
        }
    }

    private static long running(Site site, String namespace) {
        return Stream.of("a", "b")
                .map(name -> site.job(namespace, name))
                .filter(job -> "running".equals(job.getMetadata().getLabels().get("muster.dev/state")))
                .count();
    }

    @Test
    void c47_namesOf63CharactersThatDifferInTheLastOneRunApart_AndNoLabelIsTooLong() {
        try (Site site = Site.installed(plane, "c47")) {
            site.nodes(1);
            String queue = site.queue("team", 8);
            String ns = plane.newNamespace("c47");
            site.start();
            String stem = "j".repeat(62);

            for (String name : List.of(stem + "a", stem + "b")) {
                plane.create(job(ns, name, queue, "{limits: {nvidia.com/gpu: 4}}"));
            }

            for (String name : List.of(stem + "a", stem + "b")) {
                Job job = site.awaitState(ns, name, "running");
                assertThat(labels(job)).allSatisfy(label -> assertThat(label).hasSizeLessThanOrEqualTo(63));
                assertThat(site.pods(ns, name))
                        .singleElement()
                        .satisfies(pod -> assertThat(labels(pod))
                                .allSatisfy(label -> assertThat(label).hasSizeLessThanOrEqualTo(63)));
            }
        }
    }

    private static List<String> labels(HasMetadata object) {
        return List.copyOf(object.getMetadata().getLabels().values());
    }
}

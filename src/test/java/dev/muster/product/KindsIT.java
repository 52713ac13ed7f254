package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import dev.muster.cluster.Operator;
import dev.muster.kinds.KindReader;
import dev.muster.kinds.Kinds;
import dev.muster.kinds.Render;
import dev.muster.kinds.ShippedKinds;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds beside the batch Job on a real API server, by their shape: the test plays their controllers. */
@OnControlPlane
class KindsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CRDS = Path.of("src/test/resources/kind-crds");
    private static final Path DESCRIPTORS = Path.of("src/test/resources/kind-descriptors");
    private static final String CRUNCH = "crunches.test.muster.example.v1";

    private final ControlPlane plane;

    KindsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @BeforeEach
    void kindsNeedMutatingPolicies() {
        assumeTrue(plane.knowsMutatingPolicies(), "before Kubernetes 1.36 batch Jobs alone take part");
    }

    @Test
    void aJobSetsChildJobsAreNoGangsOfTheirOwn_AndItsPodsAreChargedToIt() {
        plane.install(CRDS.resolve("jobset.yaml"));
        try (Site site = Site.installed(plane, "jobset")) {
            site.nodes(1);
            String queue = site.queue("sets", 8);
            String ns = plane.newNamespace("jobset");
            KindJob set = new KindJob(plane, "jobset.x-k8s.io/v1alpha2", "JobSet", ns, "train", "/spec/suspend");
            site.start();
            awaitKind(site, "jobsets.jobset.x-k8s.io.v1alpha2", 1);
            // when a JobSet of two jobs with two pods each is admitted
            String uid = plane.create(jobSet(ns, queue)).getMetadata().getUid();
            set.report("Suspended", "True");
            JsonNode admitted = set.awaitState("admitted");
            set.report("Suspended", "False");
            // and its controller makes the child Jobs, which copy its marks
            Operator.account(plane, "jobset-system", "jobset-controller-manager");
            try (KubernetesClient controller = client("jobset-system", "jobset-controller-manager")) {
                for (int i = 0; i < 2; i++) {
                    HasMetadata child = controller
                            .resource(plane.parse(childJob(ns, queue, uid, i)).get(0))
                            .create();
                    assertThat(child.getMetadata().getLabels())
                            .doesNotContainKeys(Marks.QUEUE, Marks.MANAGED)
                            .containsEntry("muster.dev/child", "true");
                    assertThat(JSON.valueToTree(child).at("/spec/suspend").asBoolean())
                            .isFalse();
                }
            }
            // then the pods are placed by the JobSet's admission, and charged once, to it
            set.awaitState("running");
            assertThat(set.nodes()).hasSize(4).isEqualTo(KindJob.plannedNodes(admitted));
            assertThat(Await.until(
                                    "the queue counts one gang of 8 GPUs",
                                    () -> site.queue(queue).getStatus(),
                                    status ->
                                            status != null && Integer.valueOf(1).equals(status.admitted()))
                            .usage())
                    .singleElement()
                    .satisfies(usage -> assertThat(usage.used().getAmount()).isEqualTo("8"));
        }
    }

    @Test
    void aKindOfAnOperatorsOwn_IsReportedWhileItsSchemaDropsLabels_AndManagedOnceItKeepsThem_WithoutARestart() {
        try (Site site = Site.installed(plane, "crunch")) {
            // given what `kinds render` prints for it, and no such kind
            removeCrunches();
            Kinds kinds = KindReader.read(
                            ShippedKinds.all(), Map.of("crunch.yaml", Site.read(DESCRIPTORS.resolve("crunch.yaml"))))
                    .kinds();
            plane.parse(Render.of(kinds)).stream()
                    .filter(object -> !object.getKind().endsWith("WebhookConfiguration"))
                    .forEach(object -> plane.admin()
                            .resource(object)
                            .fieldManager("muster-test")
                            .forceConflicts()
                            .serverSideApply());
            site.nodes(1);
            String queue = site.queue("own", 8);
            String ns = plane.newNamespace("crunch");
            site.muster()
                    .with("muster.kinds.folder", DESCRIPTORS.toAbsolutePath().toString());
            site.muster().with("muster.kinds.discovery", "1s");
            site.start();
            awaitKind(site, CRUNCH, 0);
            // when it comes with a schema that drops labels
            plane.install(CRDS.resolve("crunch-pruning.yaml"));
            // then it is said what is wrong, and what helps
            awaitKind(site, CRUNCH, -1);
            assertThat(site.muster()
                            .get(site.muster().managementUri("/q/health/ready"))
                            .body())
                    .contains(CRUNCH + " is off: its schema drops the label muster.dev/managed in spec.template."
                            + " Maybe install a CustomResourceDefinition whose pod templates");
            // and with a better schema it is managed
            plane.install(CRDS.resolve("crunch.yaml"));
            awaitKind(site, CRUNCH, 1);
            site.awaitLead();
            plane.create("""
                    apiVersion: test.muster.example/v1
                    kind: Crunch
                    metadata: {name: c, namespace: %s, labels: {muster.dev/queue: %s}}
                    spec:
                      size: 2
                      template:
                        spec: {containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}]}
                    """.formatted(ns, queue));
            KindJob crunch = new KindJob(plane, "test.muster.example/v1", "Crunch", ns, "c", "/spec/paused");
            crunch.awaitState("admitted");
            assertThat(crunch.isSuspended()).isFalse();
            // and when the kind is taken away again, everything goes on without it
            removeCrunches();
            awaitKind(site, CRUNCH, 0);
            site.awaitLead();
            site.submit(Gang.of(ns, "job", queue, 1, 8));
            site.awaitState(ns, "job", "running");
        }
    }

    /** Waits until a kind is on (1), absent (0) or off (-1). */
    static void awaitKind(Site site, String kind, int standing) {
        Await.until(
                kind + " stands at " + standing,
                Duration.ofSeconds(60),
                () -> site.muster().metrics().getOrDefault("muster_kind{kind=\"" + kind + "\"}", 9.0),
                value -> value == standing);
    }

    private void removeCrunches() {
        plane.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("crunches.test.muster.example")
                .delete();
    }

    private static String jobSet(String ns, String queue) {
        return """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, namespace: %s, labels: {muster.dev/queue: %s}}
                spec:
                  replicatedJobs:
                  - name: workers
                    replicas: 2
                    template:
                      spec:
                        parallelism: 2
                        completions: 2
                        completionMode: Indexed
                        template:
                          spec:
                            restartPolicy: Never
                            containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "2"}}}]
                """.formatted(ns, queue);
    }

    private static String childJob(String ns, String queue, String owner, int index) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: train-workers-%d
                  namespace: %s
                  labels: {muster.dev/queue: %s}
                  ownerReferences:
                  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: %s, controller: true}
                spec:
                  parallelism: 2
                  completions: 2
                  completionMode: Indexed
                  template:
                    metadata:
                      labels:
                        muster.dev/managed: "true"
                        jobset.sigs.k8s.io/replicatedjob-name: workers
                        jobset.sigs.k8s.io/job-index: "%d"
                    spec:
                      restartPolicy: Never
                      schedulingGates: [{name: muster.dev/place}]
                      containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "2"}}}]
                """.formatted(index, ns, queue, owner, index);
    }

    private KubernetesClient client(String namespace, String account) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(plane.kubeconfigFor(Operator.token(plane, namespace, account))))
                .build();
    }
}

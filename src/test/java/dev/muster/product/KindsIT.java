package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import dev.muster.cluster.Operator;
import dev.muster.kinds.KindReader;
import dev.muster.kinds.Render;
import dev.muster.kinds.ShippedKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds beside the batch Job on a real API server: one with its real controller, others by their shape. */
@OnControlPlane
class KindsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CRDS = Path.of("src/test/resources/kind-crds");
    private static final Path DESCRIPTORS = Path.of("src/test/resources/kind-descriptors");
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final ControlPlane plane;

    KindsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @BeforeEach
    void kindsNeedMutatingPolicies() {
        assumeTrue(plane.knowsMutatingPolicies(), "before Kubernetes 1.36 batch Jobs alone take part");
    }

    @Test
    void aPyTorchJobOfTheRealTrainingOperator_WaitsRunsIsPreemptedComesBackAndEnds() {
        Optional<Path> operators = Operator.folder();
        assumeTrue(operators.isPresent(), "MUSTER_TEST_OPERATORS names no folder made by .ci/controlplane/operators");
        plane.install(operators.get().resolve("crds"));
        try (Site site = Site.installed(plane, "pytorch");
                Operator operator =
                        Operator.start(plane, operators.get(), "training-operator", "kubeflow", "training-operator")) {
            // given an owner of 16 GPUs who lets others use them, on two nodes of 8
            site.nodes(2);
            String org = site.queue("org", 0);
            String owner = site.queueBelow(org, "owner", 16, "preemption: {minRuntime: 0s, grace: 1s}");
            String guest = site.queueBelow(org, "guest", 0, "preemption: {minRuntime: 0s, grace: 1s}");
            String ns = plane.newNamespace("pytorch");
            site.start();
            awaitKind(site, "pytorchjobs.kubeflow.org.v1", 1);
            // when somebody borrows them for a PyTorchJob
            plane.create(pyTorchJob(ns, guest));
            // then master and workers run, each on the node of its rank, stamped with its podset
            JsonNode job = awaitState(ns, "running");
            assertThat(placesOf(ns)).isEqualTo(planned(job));
            assertThat(placesOf(ns)).containsOnlyKeys("master 0", "worker 0", "worker 1", "worker 2");
            // and nobody but Muster stops it, or changes its size
            assertThatThrownBy(() -> patch(ns, "{\"spec\":{\"pytorchReplicaSpecs\":{\"Worker\":{\"replicas\":5}}}}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("of an admitted gang cannot change");
            patch(ns, "{\"spec\":{\"runPolicy\":{\"suspend\":true}}}");
            assertThat(pyTorchJob(ns).at("/spec/runPolicy/suspend").asBoolean()).isFalse();
            // when the owner wants them
            site.submit(Gang.of(ns, "claimant", owner, 2, 8));
            // then it goes, whole, and the owner runs
            site.awaitState(ns, "claimant", "running");
            JsonNode stopped = awaitState(ns, "waiting");
            assertThat(stopped.at("/spec/runPolicy/suspend").asBoolean()).isTrue();
            assertThat(members(ns)).isEmpty();
            // and when the owner has ended, it comes back, and ends
            site.finish(ns, "claimant");
            JsonNode second = awaitState(ns, "running");
            assertThat(admission(second).path("attempt").asInt()).isEqualTo(2);
            assertThat(placesOf(ns)).isEqualTo(planned(second));
            members(ns)
                    .forEach(pod -> plane.admin()
                            .resource(pod)
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    "{\"metadata\":{\"annotations\":{\"test.muster.dev/run-for\":\"0s\"}}}"));
            awaitState(ns, "finished");
        }
    }

    @Test
    void aJobSetsChildJobsAreNoGangsOfTheirOwn_AndItsPodsAreChargedToIt() {
        plane.install(CRDS.resolve("jobset.yaml"));
        try (Site site = Site.installed(plane, "jobset")) {
            site.nodes(1);
            String queue = site.queue("sets", 8);
            String ns = plane.newNamespace("jobset");
            site.start();
            awaitKind(site, "jobsets.jobset.x-k8s.io.v1alpha2", 1);
            // when a JobSet of two jobs with two pods each is admitted
            HasMetadata created = plane.create(jobSet(ns, queue));
            report(ns, "True");
            Await.until(
                    "the JobSet is admitted",
                    MINUTE,
                    () -> jobSet(ns),
                    set -> !set.at("/spec/suspend").asBoolean(true));
            report(ns, "False");
            // and its controller makes the child Jobs, which copy its marks
            Operator.account(plane, "jobset-system", "jobset-controller-manager");
            try (KubernetesClient controller = client("jobset-system", "jobset-controller-manager")) {
                for (int i = 0; i < 2; i++) {
                    HasMetadata child = controller
                            .resource(plane.parse(childJob(
                                            ns, queue, created.getMetadata().getUid(), i))
                                    .get(0))
                            .create();
                    assertThat(child.getMetadata().getLabels())
                            .doesNotContainKeys(Marks.QUEUE, Marks.MANAGED)
                            .containsEntry("muster.dev/child", "true");
                    assertThat(JSON.valueToTree(child).at("/spec/suspend").asBoolean())
                            .isFalse();
                }
            }
            // then the pods are placed by the JobSet's admission and charged once, to it
            JsonNode set =
                    Await.until("all its members run", MINUTE, () -> jobSet(ns), seen -> "running".equals(state(seen)));
            assertThat(placesOf(ns))
                    .isEqualTo(Map.of(
                            "workers 0",
                            node(set),
                            "workers 1",
                            node(set),
                            "workers 2",
                            node(set),
                            "workers 3",
                            node(set)));
            assertThat(members(ns))
                    .allSatisfy(pod -> assertThat(pod.getMetadata().getAnnotations())
                            .containsEntry(Marks.GANG_UID, created.getMetadata().getUid()));
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
            plane.admin()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("crunches.test.muster.example")
                    .delete();
            var kinds = KindReader.read(
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
            assertThat(site.muster().metrics())
                    .containsEntry("muster_kind{kind=\"crunches.test.muster.example.v1\"}", 0.0);
            // when it comes with a schema that drops labels
            plane.install(CRDS.resolve("crunch-pruning.yaml"));
            // then it is said what is wrong, and what helps
            awaitKind(site, "crunches.test.muster.example.v1", -1);
            assertThat(site.muster()
                            .get(site.muster().managementUri("/q/health/ready"))
                            .body())
                    .contains("crunches.test.muster.example.v1 is off: its schema drops the label muster.dev/managed in"
                            + " spec.template. Maybe install a CustomResourceDefinition whose pod templates");
            // and with a better schema it is managed
            plane.install(CRDS.resolve("crunch.yaml"));
            awaitKind(site, "crunches.test.muster.example.v1", 1);
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
            Await.until(
                    "it is admitted",
                    MINUTE,
                    () -> get("test.muster.example/v1", "Crunch", ns, "c"),
                    crunch -> "admitted".equals(state(crunch))
                            && !crunch.at("/spec/paused").asBoolean(true));
            // and when the kind is taken away again, everything goes on without it
            plane.admin()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("crunches.test.muster.example")
                    .delete();
            awaitKind(site, "crunches.test.muster.example.v1", 0);
            site.awaitLead();
            site.submit(Gang.of(ns, "job", queue, 1, 8));
            site.awaitState(ns, "job", "running");
        }
    }

    private static void awaitKind(Site site, String kind, int standing) {
        Await.until(
                kind + " stands at " + standing,
                MINUTE,
                () -> site.muster().metrics().getOrDefault("muster_kind{kind=\"" + kind + "\"}", 9.0),
                value -> value == standing);
    }

    private static String pyTorchJob(String ns, String queue) {
        String template = """
                metadata: {annotations: {}}
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers:
                          - {name: pytorch, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}
                """;
        return """
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata:
                  name: train
                  namespace: %s
                  labels: {muster.dev/queue: %s, muster.dev/interruptible: "true"}
                spec:
                  pytorchReplicaSpecs:
                    Master:
                      replicas: 1
                      restartPolicy: OnFailure
                      template:
                        %s
                    Worker:
                      replicas: 3
                      restartPolicy: OnFailure
                      template:
                        %s
                """.formatted(ns, queue, template, template);
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

    private JsonNode awaitState(String ns, String state) {
        return Await.until("the PyTorchJob is " + state, MINUTE, () -> pyTorchJob(ns), job -> state.equals(state(job)));
    }

    private JsonNode pyTorchJob(String ns) {
        return get("kubeflow.org/v1", "PyTorchJob", ns, "train");
    }

    private JsonNode jobSet(String ns) {
        return get("jobset.x-k8s.io/v1alpha2", "JobSet", ns, "train");
    }

    private JsonNode get(String apiVersion, String kind, String ns, String name) {
        GenericKubernetesResource found = plane.admin()
                .genericKubernetesResources(apiVersion, kind)
                .inNamespace(ns)
                .withName(name)
                .get();
        return JSON.valueToTree(found);
    }

    private void patch(String ns, String patch) {
        plane.admin()
                .genericKubernetesResources("kubeflow.org/v1", "PyTorchJob")
                .inNamespace(ns)
                .withName("train")
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** What the JobSet controller says of suspend. */
    private void report(String ns, String suspended) {
        plane.admin()
                .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .inNamespace(ns)
                .withName("train")
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"conditions\":[{\"type\":\"Suspended\",\"status\":\"" + suspended + "\"}]}}");
    }

    private KubernetesClient client(String namespace, String account) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(plane.kubeconfigFor(Operator.token(plane, namespace, account))))
                .build();
    }

    private static String state(JsonNode job) {
        return job.path("metadata").path("labels").path(Marks.STATE).asText();
    }

    private static JsonNode admission(JsonNode job) {
        return Facts.json(
                job.path("metadata").path("annotations").path(Marks.ADMISSION).asText());
    }

    private static String node(JsonNode job) {
        return admission(job).at("/podsets/0/nodes/0/0").asText();
    }

    /** The node of each member by podset and rank, as admitted. */
    private static Map<String, String> planned(JsonNode job) {
        Map<String, String> planned = new TreeMap<>();
        for (JsonNode place : admission(job).path("podsets")) {
            int rank = 0;
            for (JsonNode slots : place.path("nodes")) {
                for (int i = 0; i < slots.path(1).asInt(); i++) {
                    planned.put(
                            place.path("podset").asText() + " " + rank++,
                            slots.path(0).asText());
                }
            }
        }
        return planned;
    }

    private List<Pod> members(String ns) {
        return plane.admin().pods().inNamespace(ns).withLabel(Marks.MANAGED).list().getItems().stream()
                .filter(pod -> !pod.getMetadata().getLabels().containsKey("batch.kubernetes.io/job-name")
                        || pod.getMetadata().getLabels().containsKey("jobset.sigs.k8s.io/job-index"))
                .toList();
    }

    /** The node of each member by its stamped podset and its rank. */
    private Map<String, String> placesOf(String ns) {
        Map<String, String> places = new TreeMap<>();
        for (Pod pod : members(ns)) {
            Map<String, String> labels = pod.getMetadata().getLabels();
            String replica = labels.get("training.kubeflow.org/replica-index");
            int rank = replica != null
                    ? Integer.parseInt(replica)
                    : 2 * Integer.parseInt(labels.get("jobset.sigs.k8s.io/job-index"))
                            + Integer.parseInt(labels.get("batch.kubernetes.io/job-completion-index"));
            places.put(
                    pod.getMetadata().getAnnotations().get(Marks.PODSET) + " " + rank,
                    pod.getSpec().getNodeName());
        }
        return places;
    }
}

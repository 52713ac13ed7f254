package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import dev.muster.cluster.Operator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Kinds with their real controllers, as {@code .ci/controlplane/operators} builds them: each waits, runs where it was
 * planned, is preempted whole, and comes back.
 */
@OnControlPlane
class RealOperatorsIT {
    private static final String TERMS = "preemption: {minRuntime: 0s, grace: 1s}";

    private final ControlPlane plane;
    private final Path operators;

    RealOperatorsIT(ControlPlane plane) {
        this.plane = plane;
        this.operators = Operator.folder().orElse(Path.of("none"));
    }

    @BeforeEach
    void operatorsAndPoliciesAreNeeded() {
        assumeTrue(
                Operator.folder().isPresent(),
                "MUSTER_TEST_OPERATORS names no folder made by .ci/controlplane/operators");
        assumeTrue(plane.knowsMutatingPolicies(), "before Kubernetes 1.36 batch Jobs alone take part");
        plane.install(operators.resolve("crds"));
    }

    private Operator operator(String binary, String namespace, String account, String... arguments) {
        assumeTrue(Files.isExecutable(operators.resolve(binary)), binary + " was not built");
        return Operator.start(plane, operators, binary, namespace, account, arguments);
    }

    @Test
    void aPyTorchJob_WaitsRunsIsPreemptedComesBackAndEnds() {
        try (Site site = Site.installed(plane, "pytorch");
                Operator operator = operator("training-operator", "kubeflow", "training-operator")) {
            String ns = plane.newNamespace("pytorch");
            KindJob job = new KindJob(plane, "kubeflow.org/v1", "PyTorchJob", ns, "train", "/spec/runPolicy/suspend");
            Teams teams = started(site, "pytorchjobs.kubeflow.org.v1");
            // when it borrows 16 GPUs
            plane.create(pyTorchJob(ns, teams.guest()));
            // then master and workers run, each on the node of its rank
            JsonNode first = job.awaitState("running");
            assertThat(job.nodes()).isEqualTo(KindJob.plannedNodes(first));
            assertThat(job.nodes()).containsOnlyKeys("master 0", "worker 0", "worker 1", "worker 2");
            // and nobody but Muster stops it, or changes its size
            assertThatThrownBy(() -> job.patch("{\"spec\":{\"pytorchReplicaSpecs\":{\"Worker\":{\"replicas\":5}}}}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("of an admitted gang cannot change");
            job.patch("{\"spec\":{\"runPolicy\":{\"suspend\":true}}}");
            assertThat(job.isSuspended()).isFalse();
            // and it is preempted whole, comes back, and ends
            preemptedAndBack(site, teams, job);
            assertThat(job.nodes()).isEqualTo(KindJob.plannedNodes(job.now()));
            job.finish();
            job.awaitState("finished");
        }
    }

    @Test
    void anMpiJob_WaitsRunsIsPreemptedComesBackAndEnds() {
        try (Site site = Site.installed(plane, "mpi");
                Operator operator = operator("training-operator", "kubeflow", "training-operator")) {
            String ns = plane.newNamespace("mpi");
            KindJob job = new KindJob(plane, "kubeflow.org/v1", "MPIJob", ns, "train", "/spec/runPolicy/suspend");
            Teams teams = started(site, "mpijobs.kubeflow.org.v1");
            plane.create(mpiJob(ns, teams.guest()));
            JsonNode first = job.awaitState("running");
            assertThat(job.spread()).isEqualTo(KindJob.plannedSpread(first));
            assertThat(job.members()).hasSize(3);
            preemptedAndBack(site, teams, job);
            job.finish();
            job.awaitState("finished");
        }
    }

    @Test
    void aJobSet_WithItsChildJobs_WaitsRunsIsPreemptedComesBackAndEnds() {
        try (Site site = Site.installed(plane, "jobset");
                Operator operator = operator("jobset", "jobset-system", "jobset-controller-manager")) {
            String ns = plane.newNamespace("jobset");
            KindJob set = new KindJob(plane, "jobset.x-k8s.io/v1alpha2", "JobSet", ns, "train", "/spec/suspend");
            Teams teams = started(site, "jobsets.jobset.x-k8s.io.v1alpha2");
            plane.create(jobSet(ns, teams.guest()));
            JsonNode first = set.awaitState("running");
            assertThat(set.nodes()).isEqualTo(KindJob.plannedNodes(first));
            assertThat(set.nodes()).containsOnlyKeys("driver 0", "workers 0", "workers 1", "workers 2", "workers 3");
            assertThat(plane.admin().batch().v1().jobs().inNamespace(ns).list().getItems())
                    .hasSize(3)
                    .allSatisfy(child -> assertThat(child.getMetadata().getLabels())
                            .doesNotContainKeys(Marks.QUEUE, Marks.MANAGED, Marks.STATE));
            preemptedAndBack(site, teams, set);
            set.finish();
            set.awaitState("finished");
        }
    }

    @Test
    void aRayCluster_WaitsRunsIsPreemptedAndComesBack() {
        try (Site site = Site.installed(plane, "raycluster");
                Operator operator = kuberay()) {
            String ns = plane.newNamespace("raycluster");
            KindJob cluster = new KindJob(plane, "ray.io/v1", "RayCluster", ns, "train", "/spec/suspend");
            Teams teams = started(site, "rayclusters.ray.io.v1");
            plane.create(head("RayCluster", ns, teams.guest()) + rayCluster(2));
            JsonNode first = cluster.awaitState("running");
            assertThat(cluster.spread()).isEqualTo(KindJob.plannedSpread(first));
            assertThat(cluster.members()).hasSize(3);
            preemptedAndBack(site, teams, cluster);
        }
    }

    @Test
    void aRayJobsClusterIsNoGangOfItsOwn_AndItIsPreemptedAndComesBack() {
        try (Site site = Site.installed(plane, "rayjob");
                Operator operator = kuberay()) {
            String ns = plane.newNamespace("rayjob");
            KindJob job = new KindJob(plane, "ray.io/v1", "RayJob", ns, "train", "/spec/suspend");
            Teams teams = started(site, "rayjobs.ray.io.v1");
            plane.create(head("RayJob", ns, teams.guest()) + """
                      entrypoint: python train.py
                      shutdownAfterJobFinishes: true
                      rayClusterSpec:
                    """ + rayCluster(4));
            JsonNode first = job.awaitState("running");
            assertThat(job.spread()).isEqualTo(KindJob.plannedSpread(first));
            List<GenericKubernetesResource> clusters = plane.admin()
                    .genericKubernetesResources("ray.io/v1", "RayCluster")
                    .inNamespace(ns)
                    .list()
                    .getItems();
            assertThat(clusters)
                    .singleElement()
                    .satisfies(child -> assertThat(child.getMetadata().getLabels())
                            .doesNotContainKeys(Marks.QUEUE, Marks.MANAGED, Marks.STATE)
                            .containsEntry("muster.dev/child", "true"));
            preemptedAndBack(site, teams, job);
        }
    }

    private Operator kuberay() {
        return operator(
                "kuberay",
                "ray-system",
                "kuberay-operator",
                "--enable-leader-election=false",
                "--metrics-addr=127.0.0.1:0",
                "--health-probe-bind-address=127.0.0.1:0");
    }

    /** Names of two queues: of an owner of 16 GPUs who lets others use them, and of a guest. */
    private record Teams(String owner, String guest) {}

    /** Starts Muster with two teams on two nodes of 8 GPUs. */
    private static Teams started(Site site, String kind) {
        site.nodes(2);
        String org = site.queue("org", 0);
        Teams teams = new Teams(site.queueBelow(org, "owner", 16, TERMS), site.queueBelow(org, "guest", 0, TERMS));
        site.start();
        KindsIT.awaitKind(site, kind, 1);
        return teams;
    }

    /** The owner wants all of it, gets it, and has ended; then the job runs again. */
    private static void preemptedAndBack(Site site, Teams teams, KindJob job) {
        Set<String> before = uids(job);
        site.submit(Gang.of(job.namespace(), "claimant", teams.owner(), 2, 8));
        site.awaitState(job.namespace(), "claimant", "running");
        job.awaitState("waiting");
        assertThat(job.isSuspended()).isTrue();
        assertThat(job.members()).isEmpty();
        site.finish(job.namespace(), "claimant");
        JsonNode second = job.awaitState("running");
        assertThat(KindJob.admission(second).path("attempt").asInt()).isEqualTo(2);
        assertThat(job.spread()).isEqualTo(KindJob.plannedSpread(second));
        assertThat(uids(job)).doesNotContainAnyElementsOf(before);
    }

    private static Set<String> uids(KindJob job) {
        return Set.copyOf(
                job.members().stream().map(pod -> pod.getMetadata().getUid()).toList());
    }

    private static String head(String kind, String ns, String queue) {
        return """
                apiVersion: ray.io/v1
                kind: %s
                metadata:
                  name: train
                  namespace: %s
                  labels: {muster.dev/queue: %s, muster.dev/interruptible: "true"}
                spec:
                """.formatted(kind, ns, queue);
    }

    private static String rayCluster(int spaces) {
        String pod =
                "template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: ray, image: example, resources: {limits: %s}}]}}";
        return """
                headGroupSpec:
                  rayStartParams: {}
                  %s
                workerGroupSpecs:
                - groupName: gpu
                  replicas: 2
                  minReplicas: 2
                  maxReplicas: 2
                  rayStartParams: {}
                  %s
                """.formatted(
                        pod.formatted("{cpu: 100m, memory: 64Mi}"),
                        pod.formatted("{cpu: 100m, memory: 64Mi, nvidia.com/gpu: \"8\"}"))
                .indent(spaces);
    }

    private static String pyTorchJob(String ns, String queue) {
        String template = """
                template:
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers: [{name: pytorch, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}]
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
                      %s
                    Worker:
                      replicas: 3
                      restartPolicy: OnFailure
                      %s
                """.formatted(ns, queue, template, template);
    }

    private static String mpiJob(String ns, String queue) {
        return """
                apiVersion: kubeflow.org/v1
                kind: MPIJob
                metadata:
                  name: train
                  namespace: %s
                  labels: {muster.dev/queue: %s, muster.dev/interruptible: "true"}
                spec:
                  slotsPerWorker: 8
                  mpiReplicaSpecs:
                    Launcher:
                      replicas: 1
                      template:
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers: [{name: mpi, image: example, command: [mpirun], resources: {limits: {cpu: 100m}}}]
                    Worker:
                      replicas: 2
                      template:
                        spec:
                          terminationGracePeriodSeconds: 1
                          containers: [{name: mpi, image: example, resources: {limits: {nvidia.com/gpu: "8"}}}]
                """.formatted(ns, queue);
    }

    private static String jobSet(String ns, String queue) {
        return """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata:
                  name: train
                  namespace: %s
                  labels: {muster.dev/queue: %s, muster.dev/interruptible: "true"}
                spec:
                  network: {enableDNSHostnames: false}
                  successPolicy: {operator: All}
                  replicatedJobs:
                  - name: driver
                    replicas: 1
                    template:
                      spec:
                        parallelism: 1
                        completions: 1
                        completionMode: Indexed
                        template:
                          spec:
                            restartPolicy: Never
                            terminationGracePeriodSeconds: 1
                            containers: [{name: main, image: example, resources: {limits: {cpu: 100m}}}]
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
                            terminationGracePeriodSeconds: 1
                            containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}]
                """.formatted(ns, queue);
    }
}

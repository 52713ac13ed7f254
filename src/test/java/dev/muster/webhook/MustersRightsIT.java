package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.GangState;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import dev.muster.jobs.JobPatches;
import dev.muster.jobs.PodPlacement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What Muster's own account may do with the shipped rights and policies, and what nobody may do to its pods. */
@OnControlPlane
class MustersRightsIT {
    private static InstalledDoor door;

    private final ControlPlane cluster;
    private final KubernetesClient alice;
    private final KubernetesClient muster;
    private String namespace = "";

    MustersRightsIT(ControlPlane cluster) {
        this.cluster = cluster;
        this.alice = cluster.asTenant("alice");
        this.muster = cluster.asMuster();
    }

    @BeforeAll
    static void install(ControlPlane cluster) {
        door = InstalledDoor.policies(cluster);
    }

    @AfterAll
    static void remove() {
        door.close();
    }

    @BeforeEach
    void tenant() {
        namespace = cluster.newNamespace("rights");
        cluster.grantEdit("alice", namespace);
    }

    @Test
    void aGangIsAdmittedStoppedReleasedAndMarkedWithItsRights() {
        Job job = alice.resource(job("train")).create();

        Await.until("no lease fences this test", () -> fenceOf(job, "l/1") == 200);
        patch(job, JobPatches.admit("", "l/1", admission("n1", "n2")));
        patch(job, JobPatches.mark("", "l/1", GangState.RUNNING));
        patch(job, JobPatches.of(new JobChange.Stop(Reason.QUEUE_STOPPED, "the queue drains"), "", "l/1", 0));
        assertThat(get(job).getSpec().getSuspend()).isTrue();
        assertThat(get(job).getMetadata().getAnnotations()).containsKey("muster.dev/admission");
        patch(job, JobPatches.release("", "l/1", new PastRuns(1, List.of(60_000L), 60_000)));

        assertThat(get(job).getMetadata().getAnnotations()).doesNotContainKey("muster.dev/admission");
        assertThat(get(job).getMetadata().getLabels()).containsEntry("muster.dev/state", "waiting");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void musterMayChangeNothingElseOnAJob(String sentence, String patch, String message) {
        Job job = alice.resource(job("train")).create();

        refused(message, () -> muster.resource(job).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    static Stream<Arguments> musterMayChangeNothingElseOnAJob() {
        return Stream.of(
                arguments(
                        "start without an admission",
                        "{\"spec\":{\"suspend\":false}}",
                        "Muster starts a job only with an admission"),
                arguments("the size", "{\"spec\":{\"parallelism\":9}}", "Muster changes spec.suspend only"),
                arguments("retries", "{\"spec\":{\"backoffLimit\":9}}", "Muster changes spec.suspend only"),
                arguments(
                        "the template",
                        "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"x\":\"y\"}}}}}",
                        "Muster changes spec.suspend only"),
                arguments(
                        "a user's label",
                        "{\"metadata\":{\"labels\":{\"muster.dev/queue\":\"other\"}}}",
                        "Muster writes its own labels and annotations only"),
                arguments(
                        "a user's annotation",
                        "{\"metadata\":{\"annotations\":{\"note\":null}}}",
                        "Muster writes its own labels and annotations only"),
                arguments(
                        "finalizers",
                        "{\"metadata\":{\"finalizers\":[\"example.com/x\"]}}",
                        "Muster changes no owners and no finalizers"));
    }

    @Test
    void jobsAndPodsThatNobodyOptedInAreOutOfItsReach() {
        Job plain = job("plain");
        plain.getMetadata().setLabels(Map.of());
        alice.resource(plain).create();
        Pod pod = alice.resource(pod("plain", "app: x", "")).create();

        refused(
                "Muster changes managed jobs only",
                () -> muster.resource(plain)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"suspend\":true}}"));
        refused(
                "Muster changes managed pods only",
                () -> muster.resource(pod)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
    }

    @Test
    void itsRoleGivesNeitherCreationNorDeletionNorStatus() {
        Job job = alice.resource(job("train")).create();

        refused(
                "cannot create resource \"jobs\"",
                () -> muster.resource(job("other")).create());
        refused("cannot delete resource \"jobs\"", () -> muster.resource(job).delete());
        refused(
                "cannot patch resource \"jobs/status\"",
                () -> muster.resource(job)
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"active\":1}}"));
        refused(
                "cannot create resource \"pods\"",
                () -> muster.resource(pod("x", "a: b", "")).create());
        refused(
                "cannot list resource \"secrets\"",
                () -> muster.secrets().inNamespace(namespace).list());
    }

    @Test
    void onlyTheLeaderThatTheLeaseNamesWrites() {
        Job job = alice.resource(job("train")).create();
        Lease lease = cluster.admin()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("muster-leader")
                        .withNamespace("muster-system")
                        .endMetadata()
                        .withNewSpec()
                        .withLeaseTransitions(7)
                        .endSpec()
                        .build())
                .create();
        String uid = lease.getMetadata().getUid();
        try {
            Await.until("the fence is seen", () -> fenceOf(job, uid + "/7") == 200);
            assertThat(fenceOf(job, uid + "/6")).isEqualTo(403);
            assertThat(fenceOf(job, "other/7")).isEqualTo(403);
            assertThatThrownBy(() -> patch(job, JobPatches.mark("", uid + "/6", GangState.WAITING)))
                    .hasMessageContaining("this leader has been replaced: the fence is " + uid + "/7");
            // a tenant's write is not the leader's, and is never fenced
            alice.resource(job)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        } finally {
            cluster.admin().resource(lease).delete();
        }
        Await.until("without a lease nothing is refused", () -> fenceOf(job, "anything") == 200);
    }

    @Test
    void aGatedMemberIsPlacedByPatchOnItsExactNodeAndByNobodyElse() {
        String one = cluster.unique("n");
        String two = cluster.unique("n");
        cluster.nodes(FakeNode.h100(one), FakeNode.h100(two));
        Job job = alice.resource(job("train")).create();
        Admission admission = admission(two, one);
        patch(job, JobPatches.admit("", "l/1", admission));
        List<Pod> pods = Await.until(
                "both members are born gated",
                () -> alice.pods().inNamespace(namespace).list().getItems(),
                born -> born.size() == 2
                        && born.stream()
                                .noneMatch(pod ->
                                        pod.getSpec().getSchedulingGates().isEmpty()));
        Pod pod = pods.get(0);
        refused(
                "only Muster takes the scheduling gate muster.dev/place away",
                () -> alice.resource(pod)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"schedulingGates\":null}}"));
        refused(
                "only Muster writes the annotations muster.dev/gang-uid",
                () -> alice.resource(pod)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"annotations\":{\"muster.dev/gang-uid\":\"x\"}}}"));
        refused(
                "the label muster.dev/managed of a pod cannot change",
                () -> alice.resource(pod)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"labels\":{\"muster.dev/managed\":null}}}"));
        refused(
                "Muster gives a gated pod its place",
                () -> muster.resource(pod)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"schedulingGates\":null}}"));

        pods.forEach(member -> place(member, admission));

        announcesAStopAndNothingElse(pod);
        Map<String, String> nodes = new TreeMap<>();
        Await.until(
                "both run",
                () -> alice.pods().inNamespace(namespace).list().getItems(),
                all -> all.stream().allMatch(p -> "Running".equals(p.getStatus().getPhase())));
        alice.pods()
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(p -> nodes.put(
                        p.getMetadata().getAnnotations().get("batch.kubernetes.io/job-completion-index"),
                        p.getSpec().getNodeName()));
        assertThat(nodes).isEqualTo(Map.of("0", two, "1", one));
        refused(
                "Muster gives a gated pod its place",
                () -> muster.resource(pod)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}"));
    }

    @Test
    void aTenantMakesNoManagedPod() {
        refused(
                "only the job controller, and those of other kinds, make managed pods. Maybe remove the label muster.dev/managed",
                () -> alice.resource(pod(
                                "fake", "muster.dev/managed: \"true\"", "schedulingGates: [{name: muster.dev/place}]"))
                        .create());
        Pod plain = alice.resource(pod("plain", "app: x", "")).create();
        refused(
                "the label muster.dev/managed of a pod cannot change",
                () -> alice.resource(plain)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"labels\":{\"muster.dev/managed\":\"true\"}}}"));
    }

    /** A member that has its place may be told of a stop by Muster, and by nobody else; nothing is changed beside that. */
    private void announcesAStopAndNothingElse(Pod member) {
        String stop = "{\"metadata\":{\"annotations\":{\"muster.dev/stop-at\":\"2026-11-30T12:00:00Z\"%s}%s}}";
        Pod placed = alice.resource(member).get();
        for (String mark : List.of("stop-at", "attempt")) {
            refused(
                    "only Muster writes the annotations muster.dev/gang-uid",
                    () -> alice.resource(placed)
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    "{\"metadata\":{\"annotations\":{\"muster.dev/" + mark + "\":\"7\"}}}"));
        }
        for (String more :
                List.of(stop.formatted(",\"a\":\"b\"", ""), stop.formatted("", ",\"labels\":{\"a\":\"b\"}"))) {
            refused("Muster", () -> muster.resource(placed).patch(PatchContext.of(PatchType.JSON_MERGE), more));
        }
        String notice = Serialization.asJson(PodPlacement.notice(
                Serialization.jsonMapper().valueToTree(placed),
                placed.getMetadata().getUid(),
                1_000,
                ""));
        assertThat(muster.resource(placed)
                        .patch(PatchContext.of(PatchType.JSON), notice)
                        .getMetadata()
                        .getAnnotations())
                .containsEntry("muster.dev/stop-at", "1970-01-01T00:00:01Z");
    }

    private void place(Pod member, Admission admission) {
        JsonNode tree = Serialization.jsonMapper().valueToTree(member);
        int rank =
                Integer.parseInt(member.getMetadata().getAnnotations().get("batch.kubernetes.io/job-completion-index"));
        List<Map<String, Object>> patch = PodPlacement.patch(
                tree,
                admission.podsets().get(0),
                new PodPlacement.Stamps(
                        member.getMetadata().getOwnerReferences().get(0).getUid(), "vision", admission.attempt()),
                List.of(new Toleration("nvidia.com/gpu", "present", Taint.Effect.NO_SCHEDULE)),
                rank);
        muster.resource(member).patch(PatchContext.of(PatchType.JSON), Serialization.asJson(patch));
    }

    private int fenceOf(Job job, String fence) {
        try {
            patch(job, JobPatches.mark("", fence, GangState.WAITING));
            return 200;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }

    /** A write of Muster's; the resource version is left out, because the job controller writes status meanwhile. */
    private void patch(Job job, String patch) {
        muster.resource(job)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.replace("\"resourceVersion\":\"\",", ""));
    }

    private static void refused(String message, ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(KubernetesClientException.class).hasMessageContaining(message);
    }

    private Job get(HasMetadata job) {
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job.getMetadata().getName())
                .get();
    }

    private static Admission admission(String... nodes) {
        return new Admission(
                1,
                1,
                5,
                List.of(new PodSetPlace(
                        "main",
                        "h100",
                        Amounts.of("nvidia.com/gpu", 8),
                        Stream.of(nodes).map(node -> new NodeSlots(node, 1)).toList())));
    }

    private Job job(String name) {
        return (Job) cluster.parse("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, namespace: %s, labels: {muster.dev/queue: vision}, annotations: {note: mine}}
                spec:
                  parallelism: 2
                  completions: 2
                  completionMode: Indexed
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: train, resources: {limits: {nvidia.com/gpu: "8"}}}]
                """.formatted(name, namespace)).get(0);
    }

    private Pod pod(String name, String label, String spec) {
        return (Pod) cluster.parse("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: %s, labels: {%s}}
                spec:
                  %s
                  containers: [{name: main, image: train}]
                """.formatted(name, namespace, label, spec)).get(0);
    }
}

package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Plain pods that say which group they belong to and how many they are: whole or nothing, on a real API server. */
@OnControlPlane
class PodGroupsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ControlPlane plane;

    PodGroupsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void aGroupStartsWhole_ANewPodTakesTheLostOnesPlace_AndOneTooManyStandsBy() {
        try (Site site = Site.installed(plane, "whole")) {
            site.nodes(1);
            String queue = site.queue("whole", 8);
            String ns = plane.newNamespace("whole");
            site.start();
            // one of two does not start, though there is room
            plane.create(pod(ns, "w-0", queue, "train", 2, 4, ""));
            assertThat(Facts.sentence(site.awaitSentence(ns, "train", "Incomplete")))
                    .isEqualTo("1 of the 2 pods of group train are there.");
            assertThat(gated(ns, "train")).containsExactly("w-0");
            // both start together
            plane.create(pod(ns, "w-1", queue, "train", 2, 4, ""));
            awaitRunning(ns, "train", Set.of("w-0", "w-1"));
            String gang = gang(ns, "w-0");
            assertThat(gang(ns, "w-1")).isEqualTo(gang);
            awaitState(ns, "w-0", "running");
            // one too many stands by, and says so
            plane.create(pod(ns, "w-2", queue, "train", 2, 4, ""));
            site.awaitSentence(ns, "w-2", "Surplus");
            assertThat(gated(ns, "train")).containsExactly("w-2");
            // until one is lost: then it has its place, in the same gang
            plane.admin().pods().inNamespace(ns).withName("w-1").delete();
            awaitRunning(ns, "train", Set.of("w-0", "w-2"));
            assertThat(gang(ns, "w-2")).isEqualTo(gang);
            assertThat(site.ask(ns, "train")).contains("\"gpus\":8").contains("\"state\":\"running\"");
        }
    }

    @Test
    void aGroupIsPreemptedWhole_EachPodIsDeletedOnce_AndThoseThatComeAfterWaitAsANewGroup() {
        try (Site site = Site.installed(plane, "evict")) {
            site.nodes(1);
            String org = site.queue("org", 0);
            String quick = "preemption: {minRuntime: 1h, grace: 2s}";
            String owner = site.queueBelow(org, "owner", 8, "purpose: Serving");
            String guest = site.queueBelow(org, "guest", 0, quick);
            String ns = plane.newNamespace("evict");
            site.start();
            String spot = ", muster.dev/interruptible: \"true\"";
            plane.create(pod(ns, "g-0", guest, "guest", 2, 4, spot));
            plane.create(pod(ns, "g-1", guest, "guest", 2, 4, spot));
            awaitRunning(ns, "guest", Set.of("g-0", "g-1"));
            // when the owner's own group comes, of members of two shapes
            plane.create(pod(ns, "o-0", owner, "owner", 2, 6, ""));
            plane.create(pod(ns, "o-1", owner, "owner", 2, 2, ""));
            // then both pods go, and those made anew wait together
            awaitRunning(ns, "owner", Set.of("o-0", "o-1"));
            assertThat(pods(ns, "guest")).isEmpty();
            plane.create(pod(ns, "g-2", guest, "guest", 2, 4, spot));
            plane.create(pod(ns, "g-3", guest, "guest", 2, 4, spot));
            Await.until(
                    "the new group waits for quota, or a place",
                    LONG,
                    () -> site.ask(ns, "guest"),
                    said -> said.contains("\"state\":\"waiting\"") && said.contains("\"members\":2"));
            Await.always(
                    "it stays gated",
                    Duration.ofSeconds(3),
                    () -> gated(ns, "guest").size() == 2);
        }
    }

    /** Field case C26: a syncer writes pods with an empty gate list. */
    @Test
    void aPodWhoseGatesOthersEmptied_IsChargedAndShown_AndNothingIsDeletedOrMadeAnew() {
        try (Site site = Site.installed(plane, "c26")) {
            site.nodes(1);
            String queue = site.queue("c26", 8);
            String ns = plane.newNamespace("c26");
            site.start();
            // given a full queue and a group of two that waits
            plane.create(pod(ns, "busy-0", queue, "busy", 1, 4, ""));
            awaitRunning(ns, "busy", Set.of("busy-0"));
            plane.create(pod(ns, "p-1", queue, "train", 2, 4, ""));
            plane.create(pod(ns, "p-2", queue, "train", 2, 4, ""));
            site.awaitSentence(ns, "train", "QuotaExhausted");
            // when somebody who can take the policies away empties the gates of the first
            ungate(ns, "p-1");
            // then it runs, is charged, and says why; the other waits; and all pods are those that were there
            Set<String> uids = uids(ns);
            site.awaitSentence(ns, "p-1", "Overridden");
            awaitRunning(ns, "train", Set.of("p-1"));
            Await.until(
                    "the queue is charged for it",
                    LONG,
                    () -> site.muster()
                            .get(site.muster().uri("/api/v1/queues/" + queue))
                            .body(),
                    said -> said.contains("\"used\":8"));
            site.awaitSentence(ns, "train", "Incomplete");
            Await.always("nothing is deleted or made anew", Duration.ofSeconds(5), () -> uids(ns).equals(uids));
            assertThat(gated(ns, "train")).containsExactly("p-2");
        }
    }

    /** Field case C27: each controller acts when no gate but its own is left. */
    @Test
    void aGroupBehindTheGateOfSomebodyElse_HoldsNoQuota_AndStartsWhenThatIsGone() {
        try (Site site = Site.installed(plane, "c27")) {
            site.nodes(1);
            String queue = site.queue("c27", 8);
            String ns = plane.newNamespace("c27");
            site.start();
            String slicer = "schedulingGates: [{name: example.com/slicer}]";
            plane.create(pod(ns, "s-0", queue, "train", 2, 4, "").replace("spec:", "spec:\n  " + slicer));
            plane.create(pod(ns, "s-1", queue, "train", 2, 4, ""));
            assertThat(Facts.sentence(site.awaitSentence(ns, "train", "ForeignGate")))
                    .startsWith("On pod s-0 is the scheduling gate example.com/slicer of somebody else's");
            plane.create(pod(ns, "other-0", queue, "other", 1, 8, ""));
            awaitRunning(ns, "other", Set.of("other-0"));
            plane.admin().pods().inNamespace(ns).withName("other-0").delete();
            merge(ns, "s-0", "{\"spec\":{\"schedulingGates\":[{\"name\":\"muster.dev/place\"}]}}");
            awaitRunning(ns, "train", Set.of("s-0", "s-1"));
        }
    }

    /** By its shape: the pods of a LeaderWorkerSet as its controller and webhook make them. */
    @Test
    void theGroupsOfALeaderWorkerSetStartEachWhole() {
        assumeTrue(plane.knowsMutatingPolicies(), "the webhook does it before, which has a golden test");
        try (Site site = Site.installed(plane, "lws")) {
            site.nodes(1);
            String queue = site.queue("lws", 8);
            String ns = plane.newNamespace("lws");
            site.start();
            plane.create(ofLeaderWorkerSet(ns, "llama-0", queue, 0, 0));
            plane.create(ofLeaderWorkerSet(ns, "llama-1", queue, 1, 0));
            plane.create(ofLeaderWorkerSet(ns, "llama-0-1", queue, 0, 1));
            awaitRunning(ns, "llama-0", Set.of("llama-0", "llama-0-1"));
            site.awaitSentence(ns, "llama-1", "Incomplete");
            assertThat(gated(ns, "llama-1")).containsExactly("llama-1");
            plane.create(ofLeaderWorkerSet(ns, "llama-1-1", queue, 1, 1));
            assertThat(Facts.sentence(site.awaitSentence(ns, "llama-1", "QuotaExhausted")))
                    .isEqualTo("Queue " + queue + " uses 8 of its 8 " + site.nodeClass()
                            + " GPUs; this gang needs 8 and 0 are left.");
        }
    }

    @Test
    void theGroupOfAStoredPodDoesNotChange_AndAGroupWithoutASizeIsRefused() {
        try (Site site = Site.installed(plane, "marks")) {
            String queue = site.queue("marks", 8);
            String ns = plane.newNamespace("marks");
            site.start();
            plane.create(pod(ns, "m-0", queue, "train", 2, 4, ""));
            assertThatThrownBy(() -> merge(ns, "m-0", "{\"metadata\":{\"labels\":{\"muster.dev/pod-group\":\"x\"}}}"))
                    .hasMessageContaining("queue and priority of a pod cannot change, nor its group");
            assertThatThrownBy(() ->
                            merge(ns, "m-0", "{\"metadata\":{\"annotations\":{\"muster.dev/pod-group-size\":\"1\"}}}"))
                    .hasMessageContaining("queue and priority of a pod cannot change, nor its group");
            assertThatThrownBy(() -> plane.create(
                            pod(ns, "m-1", queue, "train", 2, 4, "").replace("pod-group-size: \"2\"", "x: y")))
                    .hasMessageContaining("that is no number of pods from 1 to 512");
        }
    }

    private void ungate(String ns, String name) {
        plane.admin()
                .admissionRegistration()
                .v1()
                .validatingAdmissionPolicyBindings()
                .withName("muster-guard-pods")
                .delete();
        Await.until(
                "the policies let it pass",
                LONG,
                () -> {
                    try {
                        merge(ns, name, "{\"spec\":{\"schedulingGates\":null}}");
                        return true;
                    } catch (KubernetesClientException refused) {
                        return false;
                    }
                },
                done -> done);
    }

    private void merge(String ns, String name, String patch) {
        plane.admin().pods().inNamespace(ns).withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private String gang(String ns, String name) {
        return plane.admin()
                .pods()
                .inNamespace(ns)
                .withName(name)
                .get()
                .getMetadata()
                .getAnnotations()
                .get(Marks.GANG_UID);
    }

    private void awaitState(String ns, String name, String state) {
        Await.until(
                name + " is " + state,
                LONG,
                () -> plane.admin().pods().inNamespace(ns).withName(name).get(),
                pod -> state.equals(pod.getMetadata().getLabels().get(Marks.STATE)));
    }

    private void awaitRunning(String ns, String group, Set<String> names) {
        Await.until(
                names + " run",
                LONG,
                () -> pods(ns, group).stream()
                        .filter(pod -> "Running".equals(pod.getStatus().getPhase())
                                && pod.getMetadata().getDeletionTimestamp() == null)
                        .map(pod -> pod.getMetadata().getName())
                        .collect(Collectors.toSet()),
                names::equals);
    }

    private Set<String> uids(String ns) {
        return plane.admin().pods().inNamespace(ns).list().getItems().stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<Pod> pods(String ns, String group) {
        return plane.admin()
                .pods()
                .inNamespace(ns)
                .withLabel(Marks.POD_GROUP, group)
                .list()
                .getItems();
    }

    private List<String> gated(String ns, String group) {
        return pods(ns, group).stream()
                .filter(pod ->
                        pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> Marks.GATE.equals(gate.getName())))
                .map(pod -> pod.getMetadata().getName())
                .sorted()
                .toList();
    }

    private static String ofLeaderWorkerSet(String ns, String name, String queue, int group, int index) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: %s
                  labels:
                    muster.dev/queue: %s
                    leaderworkerset.sigs.k8s.io/name: llama
                    leaderworkerset.sigs.k8s.io/group-index: "%d"
                    leaderworkerset.sigs.k8s.io/worker-index: "%d"
                  annotations: {leaderworkerset.sigs.k8s.io/size: "2"}
                spec:
                  containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "4"}}}]
                """.formatted(name, ns, queue, group, index);
    }

    /** {@code labels}: further ones, each with a comma before. Each tolerates the taint of GPU nodes. */
    private static String pod(String ns, String name, String queue, String group, int size, int gpus, String labels) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: %s
                  labels: {muster.dev/queue: %s, muster.dev/pod-group: %s%s}
                  annotations: {muster.dev/pod-group-size: "%d"}
                spec:
                  terminationGracePeriodSeconds: 1
                  tolerations: [{key: nvidia.com/gpu, operator: Exists}]
                  containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "%d"}}}]
                """.formatted(name, ns, queue, group, labels, size, gpus);
    }
}

package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Pods that name a queue themselves, made by the real controllers of Deployments and StatefulSets, and by hand. */
@OnControlPlane
class PodGangsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ControlPlane plane;

    PodGangsIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void aDeploymentsPodsStartOneByOneAsTheQueueAllows_AndTheNextStartsWhenOneHasGone() {
        try (Site site = Site.installed(plane, "web")) {
            site.nodes(2);
            String queue = site.queue("serve", 8);
            String ns = plane.newNamespace("web");
            site.start();
            // when a Deployment of three replicas with 4 GPUs each meets a queue of 8
            deploy("Deployment", ns, "web", queue, 3, 4, "");
            awaitRunning(ns, "web", 2);
            // then the third waits and says why
            Pod third = Await.until("one pod waits", LONG, () -> gated(ns, "web"), pods -> pods.size() == 1)
                    .get(0);
            assertThat(Facts.sentence(site.awaitSentence(ns, third.getMetadata().getName(), "QuotaExhausted")))
                    .isEqualTo("Queue " + queue + " uses 8 of its 8 " + site.nodeClass()
                            + " GPUs; this gang needs 4 and 0 are left.");
            // and a pod of another Deployment waits behind it, until the first is scaled down
            deploy("Deployment", ns, "other", queue, 1, 4, "");
            Await.until("the other pod waits", LONG, () -> gated(ns, "other"), pods -> pods.size() == 1);
            scale(ns, "web", 1);
            Pod started = awaitRunning(ns, "other", 1).get(0);
            assertThat(started.getMetadata().getAnnotations())
                    .containsEntry(Marks.CHARGED_QUEUE, queue)
                    .containsEntry(Marks.NODE_CLASS, site.nodeClass())
                    .containsEntry(Marks.GANG_UID, started.getMetadata().getUid());
            awaitState(ns, "other", "running");
        }
    }

    @Test
    void aStatefulSetsPodsABarePodAndOneBehindAnotherGate_EachWaitForTheirPlace() {
        try (Site site = Site.installed(plane, "plain")) {
            site.nodes(1);
            String queue = site.queue("plain", 8);
            String ns = plane.newNamespace("plain");
            site.start();
            // a StatefulSet makes its ordinals one after the other
            deploy("StatefulSet", ns, "db", queue, 2, 2, "serviceName: db");
            assertThat(awaitRunning(ns, "db", 2).stream()
                            .map(pod -> pod.getMetadata().getName())
                            .sorted())
                    .containsExactly("db-0", "db-1");
            // a bare pod is a gang too
            plane.create(pod(ns, "bare", queue, ""));
            awaitRunning(ns, "bare", 1);
            // one with a gate of somebody else's waits for it, though there is room, and says so
            plane.create(pod(ns, "later", queue, "schedulingGates: [{name: example.com/data}]"));
            site.awaitSentence(ns, "later", "example.com/data");
            assertThat(gated(ns, "later")).hasSize(1);
            plane.admin()
                    .pods()
                    .inNamespace(ns)
                    .withName("later")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"schedulingGates\":[{\"name\":\"muster.dev/place\"}]}}");
            awaitRunning(ns, "later", 1);
        }
    }

    @Test
    void aServiceThatGrowsTakesItsQuotaBackOnce_AndTheReplacementOfThePreemptedPodWaits() {
        try (Site site = Site.installed(plane, "grow")) {
            site.nodes(1);
            String org = site.queue("org", 0);
            String quick = "preemption: {minRuntime: 1h, grace: 2s}";
            String chat = site.queueBelow(org, "chat", 8, "purpose: Serving");
            String guest = site.queueBelow(org, "guest", 0, quick);
            String ns = plane.newNamespace("grow");
            site.start();
            // given borrowed GPUs
            deploy("Deployment", ns, "train", guest, 1, 8, "muster.dev/interruptible: \"true\"");
            String first = awaitRunning(ns, "train", 1).get(0).getMetadata().getUid();
            // when the service of their owner grows
            deploy("Deployment", ns, "chat", chat, 0, 8, "");
            scale(ns, "chat", 1);
            // then it runs, and the Deployment of the other made one new pod, which waits
            Set<String> seen = new TreeSet<>(Set.of(first));
            Await.until(
                    "the service runs",
                    LONG,
                    () -> {
                        pods(ns, "train")
                                .forEach(pod -> seen.add(pod.getMetadata().getUid()));
                        return running(ns, "chat");
                    },
                    pods -> pods.size() == 1);
            Await.always("the replacement waits", Duration.ofSeconds(5), () -> {
                pods(ns, "train").forEach(pod -> seen.add(pod.getMetadata().getUid()));
                return running(ns, "train").isEmpty() && gated(ns, "train").size() == 1;
            });
            assertThat(seen).hasSize(2);
        }
    }

    @Test
    void nobodyButMusterReleasesAPodOrMovesItToAnotherQueue_AndMusterDeletesNoOtherPods() {
        Site.installed(plane, "rights").close();
        String ns = plane.newNamespace("rights");
        if (!plane.knowsMutatingPolicies()) { // the webhook is what prepares pods there, and it is away
            assertThatThrownBy(() -> plane.create(pod(ns, "mine", "no-such-queue", "")))
                    .hasMessageContaining("the pod names a queue and was not prepared");
            return;
        }
        plane.create(pod(ns, "mine", "no-such-queue", ""));
        plane.create(pod(ns, "plain", "", ""));
        assertThat(gated(ns, "mine")).hasSize(1);
        assertThat(gated(ns, "plain")).isEmpty();
        assertThatThrownBy(() -> change(ns, "mine", "{\"spec\":{\"schedulingGates\":null}}"))
                .hasMessageContaining("only Muster takes the scheduling gate muster.dev/place away");
        assertThatThrownBy(() -> change(ns, "mine", "{\"metadata\":{\"labels\":{\"muster.dev/queue\":\"other\"}}}"))
                .hasMessageContaining("queue and priority of a pod cannot change");
        assertThatThrownBy(
                        () -> change(ns, "mine", "{\"metadata\":{\"annotations\":{\"muster.dev/admission\":\"x\"}}}"))
                .hasMessageContaining("only Muster writes the annotations");
        assertThatThrownBy(() -> change(ns, "plain", "{\"metadata\":{\"labels\":{\"muster.dev/queue\":\"other\"}}}"))
                .hasMessageContaining("can only be given when the pod is created");
        KubernetesClient muster = plane.asMuster();
        for (String name : List.of("mine", "plain")) {
            assertThatThrownBy(
                            () -> muster.pods().inNamespace(ns).withName(name).delete())
                    .hasMessageContaining("Muster deletes pods only that are gangs of one");
        }
    }

    private void change(String ns, String name, String patch) {
        plane.admin().pods().inNamespace(ns).withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private void scale(String ns, String name, int replicas) {
        plane.admin().apps().deployments().inNamespace(ns).withName(name).scale(replicas);
    }

    private List<Pod> awaitRunning(String ns, String app, int count) {
        return Await.until(
                count + " pods of " + app + " run", LONG, () -> running(ns, app), pods -> pods.size() == count);
    }

    private void awaitState(String ns, String app, String state) {
        Await.until(
                "the pods of " + app + " are " + state,
                LONG,
                () -> pods(ns, app),
                pods -> pods.stream()
                        .allMatch(pod ->
                                state.equals(pod.getMetadata().getLabels().get(Marks.STATE))));
    }

    private List<Pod> pods(String ns, String app) {
        return plane.admin().pods().inNamespace(ns).withLabel("app", app).list().getItems();
    }

    private List<Pod> running(String ns, String app) {
        return pods(ns, app).stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase())
                        && pod.getMetadata().getDeletionTimestamp() == null)
                .collect(Collectors.toList());
    }

    private List<Pod> gated(String ns, String app) {
        return pods(ns, app).stream()
                .filter(pod ->
                        pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> Marks.GATE.equals(gate.getName())))
                .toList();
    }

    /** {@code more}: a label of the template with a colon and a space in it, or a field of the spec. */
    private void deploy(String kind, String ns, String name, String queue, int replicas, int gpus, String more) {
        boolean isLabel = more.startsWith("muster.dev/");
        plane.create("""
                apiVersion: apps/v1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec:
                  replicas: %d
                  %s
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s, muster.dev/queue: %s%s}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "%d"}}}]
                """.formatted(
                kind, name, ns, replicas, isLabel ? "" : more, name, name, queue, isLabel ? ", " + more : "", gpus));
    }

    private static String pod(String ns, String name, String queue, String fields) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: %s, labels: {app: %s%s}}
                spec:
                  %s
                  containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "1"}}}]
                """.formatted(name, ns, name, queue.isEmpty() ? "" : ", muster.dev/queue: " + queue, fields);
    }
}

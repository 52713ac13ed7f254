package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What tenants with the ClusterRole edit in their namespace try against a running Muster, and do not get: a start, a place,
 * quota or a name that is not theirs. What one policy says of one write stands in JobPoliciesIT and MustersRightsIT.
 */
@OnControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantsIT {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

    private final ControlPlane plane;
    private final KubernetesClient alice;
    private final KubernetesClient bob;
    private Site site;
    private String ofAlice;
    private String ofBob;
    private String vision;
    private Job admitted;

    TenantsIT(ControlPlane plane) {
        this.plane = plane;
        this.alice = plane.asTenant("alice");
        this.bob = plane.asTenant("bob");
    }

    @BeforeAll
    void twoTeams_AndAGangOfTheFirstThatRuns() {
        site = Site.installed(plane, "tenants");
        site.nodes(1);
        ofAlice = plane.newNamespace("vision");
        ofBob = plane.newNamespace("nlp");
        plane.grantEdit("alice", ofAlice);
        plane.grantEdit("bob", ofBob);
        vision = site.queueOf(
                "vision",
                "namespaces: [%s], quotas: [{nodeClass: %s, resource: nvidia.com/gpu, nominal: 8}]"
                        .formatted(ofAlice, site.nodeClass()));
        site.start();
        create(alice, Gang.of(ofAlice, "train", vision, 2, 4).yaml());
        admitted = site.awaitState(ofAlice, "train", "running");
    }

    @AfterAll
    void close() {
        plane.admin()
                .admissionRegistration()
                .v1()
                .validatingAdmissionPolicyBindings()
                .withName("muster-gpu-pods")
                .delete();
        site.close();
    }

    @Test
    void anAdmissionIsNotCopied_NorHistoryFenceOrClaimGivenToANewJob() {
        for (String mark : List.of("admission", "fence")) {
            String value = admitted.getMetadata().getAnnotations().get("muster.dev/" + mark);
            assertThat(value).isNotBlank();

            refused(
                    "only Muster writes the annotations",
                    () -> create(
                            alice,
                            Gang.of(ofAlice, "copy", vision, 2, 4)
                                    .annotated("muster.dev/" + mark + ": '" + value + "'")
                                    .yaml()));
        }
        refused(
                "only Muster writes the label muster.dev/state",
                () -> create(
                        alice,
                        Gang.of(ofAlice, "copy", vision, 2, 4)
                                .labelled("muster.dev/state: admitted")
                                .yaml()));
        assertThat(site.job(ofAlice, "copy")).isNull();
    }

    @Test
    void aWaitingGangIsNotStarted_AndARunningOneNeitherStoppedNorMoved() {
        create(alice, Gang.of(ofAlice, "waits", vision, 2, 4).yaml());

        alice.resource(job("waits")).patch(MERGE, "{\"spec\":{\"suspend\":false}}");
        alice.resource(job("train")).patch(MERGE, "{\"spec\":{\"suspend\":true}}");

        assertThat(job("waits").getSpec().getSuspend()).isTrue();
        assertThat(job("train").getSpec().getSuspend()).isFalse();
        refused(
                "cannot patch resource \"jobs/status\"",
                () -> alice.resource(job("waits")).subresource("status").patch(MERGE, "{\"status\":{\"active\":0}}"));
        for (String patch : List.of(
                "{\"spec\":{\"parallelism\":1}}",
                "{\"metadata\":{\"labels\":{\"muster.dev/queue\":\"other\"}}}",
                "{\"metadata\":{\"labels\":{\"muster.dev/priority-class\":\"system-node-critical\"}}}",
                "{\"metadata\":{\"annotations\":{\"muster.dev/node-classes\":\"other\"}}}")) {
            refused(
                    "of an admitted gang cannot change",
                    () -> alice.resource(job("train")).patch(MERGE, patch));
        }
        Await.always(
                "nothing has moved",
                Duration.ofSeconds(2),
                () -> site.pods(ofAlice, "train").size() == 2
                        && site.pods(ofAlice, "waits").isEmpty());
        alice.resource(job("waits")).delete();
    }

    @Test
    void membersKeepTheirGateMarksAndStamps() {
        Pod member = site.pods(ofAlice, "train").get(0);
        for (String patch : List.of(
                "{\"metadata\":{\"annotations\":{\"muster.dev/gang-uid\":\"other\"}}}",
                "{\"metadata\":{\"annotations\":{\"muster.dev/charged-queue\":null}}}",
                "{\"metadata\":{\"labels\":{\"muster.dev/managed\":null}}}")) {
            assertThatThrownBy(() -> alice.resource(member).patch(MERGE, patch))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("ValidatingAdmissionPolicy 'muster-pods'");
        }
        // a gate cannot come back either: the API server itself says so
        assertThatThrownBy(() -> alice.resource(member)
                        .patch(
                                JSON,
                                "[{\"op\":\"add\",\"path\":\"/spec/schedulingGates\",\"value\":[{\"name\":\"x/y\"}]}]"))
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void anotherTeamsQueueIsRefusedAtTheDoor_AndWaitsForEverWhereTheDoorWasOpen() {
        refused(
                "that queue takes no jobs from namespace '" + ofBob + "'",
                () -> create(bob, Gang.of(ofBob, "intruder", vision, 1, 1).yaml()));

        assumeTrue(plane.knowsMutatingPolicies(), "older servers take no labelled job while Muster is away");
        site.muster().kill();
        create(bob, Gang.of(ofBob, "intruder", vision, 1, 1).yaml());
        site.muster().start();
        site.awaitLead();

        site.awaitSentence(ofBob, "intruder", "takes no jobs from namespace " + ofBob);
        assertThat(site.job(ofBob, "intruder").getSpec().getSuspend()).isTrue();
        refused(
                "only Muster writes",
                () -> bob.resource(site.job(ofBob, "intruder"))
                        .patch(MERGE, "{\"metadata\":{\"annotations\":{\"muster.dev/history\":\"{}\"}}}"));
    }

    @Test
    void policyIsNotTheTenantsToWrite() {
        refused(
                "cannot patch resource \"teamqueues\"",
                () -> alice.resource(site.queue(vision)).patch(MERGE, "{\"spec\":{\"weight\":99}}"));
        refused("cannot create resource \"gpunodeclasses\"", () -> create(alice, """
                apiVersion: muster.dev/v1alpha1
                kind: GpuNodeClass
                metadata: {name: mine}
                spec: {owner: me, selector: {a: b}, taint: {key: a, effect: NoSchedule}}
                """));
        refused(
                "cannot patch resource \"namespaces\"",
                () -> alice.namespaces()
                        .withName(ofAlice)
                        .patch(MERGE, "{\"metadata\":{\"labels\":{\"muster.dev/gpu-exempt\":\"\"}}}"));
        refused(
                "cannot create resource \"serviceaccounts/token\"",
                () -> alice.serviceAccounts()
                        .inNamespace("muster-system")
                        .withName("muster")
                        .tokenRequest(new TokenRequestBuilder()
                                .withNewSpec()
                                .endSpec()
                                .build()));
        refused(
                "cannot delete resource \"leases\"",
                () -> alice.leases()
                        .inNamespace("muster-system")
                        .withName("muster-leader")
                        .delete());
    }

    @Test
    void c64_aPodWithAnotherJobsIdentityIsNotReleasedAndChangesNothingOfThatJob() {
        String uid = admitted.getMetadata().getUid();
        String admission = admitted.getMetadata().getAnnotations().get("muster.dev/admission");
        // with the mark of members: refused
        refused(
                "only the job controller, and those of other kinds, make managed pods",
                () -> create(bob, pod(ofBob, "x", "muster.dev/managed: \"true\"", stamps(uid), "")));
        refused(
                "only the job controller, and those of other kinds, make managed pods",
                () -> create(alice, pod(ofAlice, "x", "muster.dev/managed: \"true\"", "", owner(uid))));
        // without it, but with all the other marks, in the job's own namespace and in another one: a pod like any other
        create(bob, pod(ofBob, "x", labels(uid), stamps(uid), owner(uid)));
        create(alice, pod(ofAlice, "x", "app: x", stamps(uid), ""));

        Await.until(
                "it runs as nobody's member",
                () -> alice.pods().inNamespace(ofAlice).withName("x").get(),
                pod -> "Running".equals(pod.getStatus().getPhase()));
        alice.pods().inNamespace(ofAlice).withName("x").delete();
        bob.pods().inNamespace(ofBob).withName("x").delete();

        Await.always(
                "the gang holds what it held",
                Duration.ofSeconds(3),
                () -> site.ask(ofAlice, "train").contains("\"state\":\"running\"")
                        && site.ask(ofAlice, "train").contains("\"nvidia.com/gpu\":8"));
        assertThat(job("train").getMetadata().getAnnotations()).containsEntry("muster.dev/admission", admission);
        // c55: nothing of Muster's keeps an ended pod from going
        assertThat(site.pods(ofAlice, "train"))
                .flatExtracting(member -> member.getMetadata().getFinalizers())
                .noneMatch(finalizer -> finalizer.toString().contains("muster"));
        assertThat(site.muster()
                        .get(site.muster().uri("/api/v1/queues/" + vision))
                        .body())
                .contains("\"used\":8");
    }

    @Test
    void aJobOfATenantMakesNoPodsThatCountAsOthers() {
        refused(
                "only a managed job makes managed pods",
                () -> create(
                        alice, """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: fake, namespace: %s, labels: {app: fake}}
                spec:
                  template:
                    metadata: {labels: {muster.dev/managed: "true"}, annotations: {muster.dev/gang-uid: "%s"}}
                    spec: {restartPolicy: Never, containers: [{name: main, image: example}]}
                """.formatted(ofAlice, admitted.getMetadata().getUid())));
    }

    @Test
    void withTheOptionalPolicy_NoPodTakesGpusOutsideOfAQueue_ButInExemptNamespaces() {
        plane.install(Path.of("webhook/optional/gpu-pods.yaml"));
        String exempt = plane.newNamespace("operators");
        plane.grantEdit("bob", exempt);
        plane.admin().namespaces().withName(exempt).edit(namespace -> {
            namespace.getMetadata().getLabels().put("muster.dev/gpu-exempt", "");
            return namespace;
        });
        String message = "pods take nvidia.com/gpu through a queue only."
                + " Maybe run it as a Job with the label muster.dev/queue";
        Await.until(
                "the policy is in force",
                () -> isRefused(
                        message,
                        () -> bob.resource(parse(gpuPod(ofBob, "probe", "")))
                                .dryRun()
                                .create()));

        refused(message, () -> create(bob, gpuPod(ofBob, "direct", "")));
        refused(
                message,
                () -> create(
                        bob, gpuPod(ofBob, "bound", "nodeName: " + site.nodes(1).get(0))));
        refused(message, () -> create(bob, pod(ofBob, "early", "a: b", "", """
                initContainers: [{name: init, image: example, resources: {limits: {nvidia.com/gpu: 1}}}]""")));
        create(bob, pod(ofBob, "cpu", "a: b", "", ""));
        Await.until(
                "the label is seen",
                () -> !isRefused(
                        message,
                        () -> bob.resource(parse(gpuPod(exempt, "probe", "")))
                                .dryRun()
                                .create()));
        create(bob, gpuPod(exempt, "plugin", ""));

        // given a Deployment, its ReplicaSet is told why it gets no pods
        create(bob, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: served, namespace: %s}
                spec:
                  selector: {matchLabels: {app: served}}
                  template:
                    metadata: {labels: {app: served}}
                    spec: {containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: 1}}}]}
                """.formatted(ofBob));
        Await.until(
                "an Event says so",
                () -> bob.v1().events().inNamespace(ofBob).list().getItems(),
                events -> events.stream()
                        .anyMatch(event -> String.valueOf(event.getMessage()).contains(message)));
        // and members go on being made
        create(alice, Gang.of(ofAlice, "later", site.queue("second", 1), 1, 1).yaml());
        site.awaitState(ofAlice, "later", "running");
    }

    @Test
    void whatOthersDoIsNotToBeReadThroughTheStatusApi() {
        // the tokens, the namespaces and the stream are StatusAccessIT's matter; here: a tenant has no other way in
        refused(
                "cannot get resource \"jobs\"",
                () -> bob.batch()
                        .v1()
                        .jobs()
                        .inNamespace(ofAlice)
                        .withName("train")
                        .get());
        refused(
                "cannot get resource \"pods/proxy\"",
                () -> bob.raw("/api/v1/namespaces/muster-system/pods/muster-0:9000/proxy/q/metrics"));
    }

    private static String labels(String uid) {
        return "batch.kubernetes.io/job-name: train, job-name: train, batch.kubernetes.io/controller-uid: " + uid
                + ", muster.dev/state: admitted";
    }

    private static String stamps(String uid) {
        return "muster.dev/gang-uid: " + uid + ", muster.dev/podset: main, muster.dev/charged-queue: other,"
                + " muster.dev/node-class: other";
    }

    private static String owner(String uid) {
        return "owner " + uid;
    }

    /** A pod with these labels and annotations; {@code more} is {@code owner UID}, or further fields of its spec. */
    private static String pod(String namespace, String name, String labels, String annotations, String more) {
        boolean owned = more.startsWith("owner ");
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: %s
                  labels: {%s}
                  annotations: {%s}
                  ownerReferences: [%s]
                spec:
                  %s
                  terminationGracePeriodSeconds: 1
                  tolerations: [{operator: Exists}]
                  containers: [{name: main, image: example}]
                """.formatted(
                        name,
                        namespace,
                        labels,
                        annotations,
                        owned
                                ? "{apiVersion: batch/v1, kind: Job, name: train, uid: " + more.substring(6)
                                        + ", controller: true}"
                                : "",
                        owned ? "" : more.strip());
    }

    private static String gpuPod(String namespace, String name, String more) {
        return pod(namespace, name, "a: b", "", more)
                .replace("image: example}]", "image: example, resources: {limits: {nvidia.com/gpu: 1}}}]");
    }

    private HasMetadata parse(String yaml) {
        return plane.parse(yaml).get(0);
    }

    private void create(KubernetesClient as, String yaml) {
        as.resource(parse(yaml)).create();
    }

    private Job job(String name) {
        return site.job(ofAlice, name);
    }

    private static boolean isRefused(String message, Runnable write) {
        try {
            write.run();
            return false;
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains(message);
        }
    }

    private static void refused(String message, ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(KubernetesClientException.class).hasMessageContaining(message);
    }
}

package dev.muster.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.GangState;
import dev.muster.jobs.JobPatches;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds inside the API server, whether Muster runs or not. Tenants submit, Muster writes with its own account. */
@OnControlPlane
class JobPoliciesIT {
    private static InstalledDoor door;

    private final ControlPlane cluster;
    private final KubernetesClient alice;
    private String namespace = "";

    JobPoliciesIT(ControlPlane cluster) {
        this.cluster = cluster;
        this.alice = cluster.asTenant("alice");
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
        namespace = cluster.newNamespace("door");
        cluster.grantEdit("alice", namespace);
    }

    @Test
    void aSubmittedJobIsStoredSuspendedMarkedAndGated() {
        Job dry = alice.resource(job("train", "")).dryRun().create();
        Job stored = alice.resource(job("train", "")).create();

        assertThat(stored.getMetadata().getLabels())
                .isEqualTo(Map.of("muster.dev/queue", "vision", "muster.dev/managed", "true"));
        assertThat(stored.getSpec().getSuspend()).isTrue();
        assertThat(stored.getSpec().getPodReplacementPolicy()).isEqualTo("Failed");
        assertThat(stored.getSpec().getTemplate().getMetadata().getLabels())
                .containsEntry("muster.dev/managed", "true");
        assertThat(stored.getSpec().getTemplate().getSpec().getSchedulingGates())
                .containsExactly(new PodSchedulingGate("muster.dev/place"));
        assertThat(dry.getMetadata().getLabels()).isEqualTo(stored.getMetadata().getLabels());
        assertThat(withoutUids(dry.getSpec())).isEqualTo(withoutUids(stored.getSpec()));
    }

    @Test
    void aJobThatNobodyOptedInIsNeverTouched() {
        Job sent = job("plain", "suspend: false");
        sent.getMetadata().setLabels(Map.of("app", "x"));

        Job stored = alice.resource(sent).create();

        assertThat(stored.getMetadata().getLabels()).isEqualTo(Map.of("app", "x"));
        assertThat(stored.getSpec().getSuspend()).isFalse();
        assertThat(stored.getSpec().getTemplate().getMetadata().getLabels()).doesNotContainKey("muster.dev/managed");
        assertThat(stored.getSpec().getTemplate().getSpec().getSchedulingGates())
                .isNullOrEmpty();
        Await.until(
                "its pods come to exist",
                () -> alice.pods().inNamespace(namespace).list().getItems().size(),
                pods -> pods == 2);
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @MethodSource
    void applyingTheSameManifestAgainChangesNothing(String how, String suspend, String state) {
        Job manifest = job("train", suspend);
        Job created = how.equals("server-side")
                ? alice.resource(manifest).fieldManager("kubectl").serverSideApply()
                : alice.resource(manifest).create();
        if (state.equals("running")) {
            admit(created);
        }
        Job before = get("train");
        boolean takesSuspendBack =
                how.equals("server-side") && suspend.equals("suspend: true") && state.equals("running");

        if (takesSuspendBack) {
            // the one exception: the tenant owns suspend: true, and Muster has changed it since
            assertThatThrownBy(() -> alice.resource(job("train", suspend))
                            .fieldManager("kubectl")
                            .serverSideApply())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(409));
            alice.resource(job("train", suspend))
                    .fieldManager("kubectl")
                    .forceConflicts()
                    .serverSideApply();
        } else if (how.equals("server-side")) {
            alice.resource(job("train", suspend)).fieldManager("kubectl").serverSideApply();
        } else {
            alice.resource(before)
                    .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), Serialization.asJson(job("train", suspend)));
        }

        Job after = get("train");
        assertThat(after.getMetadata().getLabels())
                .isEqualTo(before.getMetadata().getLabels());
        assertThat(after.getMetadata().getAnnotations())
                .isEqualTo(before.getMetadata().getAnnotations());
        assertThat(after.getSpec()).isEqualTo(before.getSpec());
    }

    static Stream<Arguments> applyingTheSameManifestAgainChangesNothing() {
        List<Arguments> rows = new ArrayList<>();
        for (String how : List.of("client-side", "server-side")) {
            for (String suspend : List.of("", "suspend: false", "suspend: true")) {
                for (String state : List.of("waiting", "running")) {
                    rows.add(arguments(how, suspend, state));
                }
            }
        }
        return rows.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatIsMustersIsKeptWhoeverWritesIt(String sentence, String patch) {
        Job waiting = alice.resource(job("train", "")).create();
        String admission = admit(waiting).getMetadata().getAnnotations().get(Marks.ADMISSION);

        Job after = alice.resource(waiting).patch(PatchContext.of(PatchType.JSON_MERGE), patch);

        assertThat(after.getSpec().getSuspend()).isFalse();
        assertThat(after.getSpec().getPodReplacementPolicy()).isEqualTo("Failed");
        assertThat(after.getMetadata().getLabels())
                .containsEntry("muster.dev/state", "admitted")
                .containsEntry("muster.dev/managed", "true");
        assertThat(after.getMetadata().getAnnotations()).containsEntry(Marks.ADMISSION, admission);
    }

    static Stream<Arguments> whatIsMustersIsKeptWhoeverWritesIt() {
        return Stream.of(
                arguments("suspend", "{\"spec\":{\"suspend\":true}}"),
                arguments("pod replacement", "{\"spec\":{\"podReplacementPolicy\":\"TerminatingOrFailed\"}}"),
                arguments("the state", "{\"metadata\":{\"labels\":{\"muster.dev/state\":\"finished\"}}}"),
                arguments("the state, taken away", "{\"metadata\":{\"labels\":{\"muster.dev/state\":null}}}"),
                arguments("the managed label", "{\"metadata\":{\"labels\":{\"muster.dev/managed\":null}}}"),
                arguments("the admission", "{\"metadata\":{\"annotations\":{\"muster.dev/admission\":\"{}\"}}}"),
                arguments(
                        "the admission, taken away",
                        "{\"metadata\":{\"annotations\":{\"muster.dev/admission\":null}}}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void nobodyElseAdmitsMovesOrReshapesAGang(String sentence, boolean admitted, String patch, String message) {
        Job waiting = alice.resource(job("train", "")).create();
        if (admitted) {
            admit(waiting);
        }
        Job before = get("train");

        assertThatThrownBy(() -> alice.resource(waiting).patch(PatchContext.of(PatchType.JSON_MERGE), patch))
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(422);
                    assertThat(e.getMessage()).contains(message);
                });
        assertThat(get("train").getSpec()).isEqualTo(before.getSpec());
    }

    static Stream<Arguments> nobodyElseAdmitsMovesOrReshapesAGang() {
        String frozen = "queue, size, requirements, priority and template of an admitted gang cannot change.";
        return Stream.of(
                arguments(
                        "a forged admission",
                        false,
                        "{\"metadata\":{\"annotations\":{\"muster.dev/admission\":\"{}\"}}}",
                        "only Muster writes the annotations muster.dev/admission, fence, waiting, claim, history"
                                + " and stop-at. Maybe remove them from the manifest"),
                arguments(
                        "a forged fence",
                        true,
                        "{\"metadata\":{\"annotations\":{\"muster.dev/claim\":\"x\"}}}",
                        "only Muster writes the annotations"),
                arguments(
                        "a state before there is one",
                        false,
                        "{\"metadata\":{\"labels\":{\"muster.dev/state\":\"admitted\"}}}",
                        "only Muster writes the label muster.dev/state. Maybe remove it from the manifest"),
                arguments(
                        "leaving the queue",
                        false,
                        "{\"metadata\":{\"labels\":{\"muster.dev/queue\":null}}}",
                        "a managed job cannot leave its queue: it needs the label muster.dev/queue. Maybe delete the job"),
                arguments(
                        "another queue while admitted",
                        true,
                        "{\"metadata\":{\"labels\":{\"muster.dev/queue\":\"audio\"}}}",
                        frozen),
                arguments(
                        "interruptible while admitted",
                        true,
                        "{\"metadata\":{\"labels\":{\"muster.dev/interruptible\":\"true\"}}}",
                        frozen),
                arguments("a larger gang while admitted", true, "{\"spec\":{\"parallelism\":3}}", frozen),
                arguments(
                        "other requirements while admitted",
                        true,
                        "{\"metadata\":{\"annotations\":{\"muster.dev/requires\":\"cuda>=1\"}}}",
                        frozen),
                arguments(
                        "another class while admitted",
                        true,
                        "{\"metadata\":{\"annotations\":{\"muster.dev/node-classes\":\"b200\"}}}",
                        frozen),
                arguments(
                        "a priority while admitted",
                        true,
                        "{\"metadata\":{\"labels\":{\"muster.dev/priority-class\":\"system-cluster-critical\"}}}",
                        frozen),
                arguments(
                        "stamps in the template",
                        false,
                        "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"muster.dev/gang-uid\":\"x\"}}}}}",
                        "of Muster's annotations a pod template carries muster.dev/topology only."
                                + " Maybe put the others on the job"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"muster.dev/queue: q", "muster.dev/managed: \"true\""})
    void optingInLaterIsRefused(String label) {
        Job plain = job("plain", "suspend: true");
        plain.getMetadata().setLabels(Map.of());
        alice.resource(plain).create();

        String late = "{\"metadata\":{\"labels\":{\"%s\":%s}}}"
                .formatted(label.split(": ")[0], label.contains("\"") ? "\"true\"" : "\"q\"");
        assertThatThrownBy(() -> alice.resource(plain).patch(PatchContext.of(PatchType.JSON_MERGE), late))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("ValidatingAdmissionPolicy 'muster-");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "muster.dev/admission",
                "muster.dev/fence",
                "muster.dev/waiting",
                "muster.dev/claim",
                "muster.dev/history",
                "muster.dev/stop-at"
            })
    void aJobIsNotBornAdmitted(String annotation) {
        Job forged = job("forged", "");
        forged.getMetadata().setAnnotations(Map.of(annotation, "{}"));

        assertThatThrownBy(() -> alice.resource(forged).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("only Muster writes the annotations");
    }

    @Test
    void aStatusWriteCarriesNoState() {
        Job waiting = alice.resource(job("train", "")).create();

        assertThatThrownBy(() -> cluster.admin()
                        .resource(waiting)
                        .subresource("status")
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"labels\":{\"muster.dev/state\":\"admitted\"}}}"))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("only Muster writes the label muster.dev/state");
    }

    @Test
    void aNamespaceMayNameTheQueueOfItsJobs() {
        if (!cluster.knowsMutatingPolicies()) {
            return; // this needs a mutating policy, as the reference says
        }
        cluster.admin().namespaces().withName(namespace).edit(n -> {
            n.getMetadata().getLabels().put("muster.dev/default-queue", "vision");
            return n;
        });
        Job sent = job("plain", "");
        sent.getMetadata().setLabels(Map.of("app", "x"));

        Job stored = Await.until(
                "the namespace's label is seen",
                () -> alice.resource(sent).dryRun().create(),
                dry -> Boolean.TRUE.equals(dry.getSpec().getSuspend()));

        assertThat(stored.getMetadata().getLabels())
                .isEqualTo(Map.of("app", "x", "muster.dev/queue", "vision", "muster.dev/managed", "true"));
        assertThat(stored.getSpec().getTemplate().getSpec().getSchedulingGates())
                .containsExactly(new PodSchedulingGate("muster.dev/place"));
    }

    @Test
    void withoutTheWebhookOlderServersRefuseLabelledJobsOnly() {
        if (cluster.knowsMutatingPolicies()) {
            return; // nothing here asks a webhook
        }
        Job waiting = alice.resource(job("before", "")).create();
        door.stop();
        try {
            assertThatThrownBy(() -> alice.resource(job("during", "")).create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("mutate.jobs.muster.dev");
            Job plain = job("plain", "");
            plain.getMetadata().setLabels(Map.of());
            assertThat(alice.resource(plain).create().getSpec().getSuspend()).isFalse();
            assertThatThrownBy(() -> alice.resource(waiting)
                            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"suspend\":false}}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining(
                            "only Muster starts and stops a managed job. Maybe delete the job to stop it");
        } finally {
            door.start();
        }
    }

    private Job admit(Job waiting) {
        Admission admission = new Admission(
                1, 1, 5, List.of(new PodSetPlace("main", "h100", Amounts.NONE, List.of(new NodeSlots("nowhere", 2)))));
        String patch = JobPatches.admit(
                get(waiting.getMetadata().getName()).getMetadata().getResourceVersion(), "l/1", admission);
        Job admitted = Await.until(
                "Muster admits",
                () -> cluster.asMuster()
                        .resource(waiting)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), admitPatch(waiting, patch)),
                job -> true);
        assertThat(admitted.getMetadata().getLabels()).containsEntry(Marks.STATE, GangState.ADMITTED.label());
        Await.until(
                "the job controller has seen it and its pods exist",
                () -> get(waiting.getMetadata().getName()),
                job -> job.getStatus().getActive() != null && job.getStatus().getActive() == 2);
        return get(waiting.getMetadata().getName());
    }

    /** The job controller writes status meanwhile, so the precondition is taken anew. */
    private String admitPatch(Job waiting, String patch) {
        return patch.replaceFirst(
                "\"resourceVersion\":\"[0-9]+\"",
                "\"resourceVersion\":\""
                        + get(waiting.getMetadata().getName()).getMetadata().getResourceVersion() + "\"");
    }

    private Job get(String name) {
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private Job job(String name, String suspend) {
        return (Job) cluster.parse("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s, namespace: %s, labels: {muster.dev/queue: vision}}
                spec:
                  %s
                  parallelism: 2
                  completions: 2
                  completionMode: Indexed
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: train, resources: {limits: {cpu: "1"}}}]
                """.formatted(name, namespace, suspend)).get(0);
    }

    private static String withoutUids(Object spec) {
        return Serialization.asJson(spec).replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "uid");
    }
}

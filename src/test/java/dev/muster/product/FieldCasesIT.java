package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.api.TeamQueueStatus;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases from the field on the real control plane; the numbers are those of the collection that the project keeps. */
@OnControlPlane
class FieldCasesIT {
    private final ControlPlane plane;

    FieldCasesIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void c03_twoQueuesWantTheSameLastNode_OneGetsIt_AndNoPodOfTheOtherExists() {
        assumeLabelledJobsAreTakenWithoutMuster();
        try (Site site = Site.installed(plane, "c03")) {
            // given one free node, and two queues with quota for it
            List<String> nodes = site.nodes(1);
            String a = site.queue("a", 8);
            String b = site.queue("b", 8);
            String ns = plane.newNamespace("c03");
            // both wait before the first cycle
            Installation.apply(plane);
            site.submit(Gang.of(ns, "of-a", a, 1, 8));
            site.submit(Gang.of(ns, "of-b", b, 1, 8));
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(a, 8L, b, 8L))) {
                // when
                site.start();
                // then
                Await.until(
                        "one is running",
                        () -> site.pods(ns, "of-a").size()
                                        + site.pods(ns, "of-b").size()
                                == 1);
                Await.always(
                        "the other has no pod",
                        Duration.ofSeconds(3),
                        () -> site.pods(ns, "of-a").size()
                                        + site.pods(ns, "of-b").size()
                                == 1);
                assertThat(site.started(ns)).hasSize(1);
                auditor.verify();
            }
        }
    }

    @Test
    void c06_createsThatFail_UseNoQuota() {
        try (Site site = Site.installed(plane, "c06")) {
            // given
            site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("c06");
            site.start();
            site.submit(Gang.of(ns, "p", queue, 1, 8));
            site.awaitState(ns, "p", "running");
            // when the same is created nine times more
            for (int i = 0; i < 9; i++) {
                assertThatThrownBy(() -> site.submit(Gang.of(ns, "p", queue, 1, 8)))
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining("already exists");
            }
            // then a team mate's starts, and the status says what both use
            site.submit(Gang.of(ns, "q", queue, 1, 8));
            site.awaitState(ns, "q", "running");
            TeamQueueStatus status = Await.until(
                    "the status counts two",
                    () -> site.queue(queue).getStatus(),
                    s -> s != null && s.admitted() != null && s.admitted() == 2);
            assertThat(status.usage())
                    .singleElement()
                    .satisfies(usage -> assertThat(usage.used().getAmount()).isEqualTo("16"));
        }
    }

    @Test
    void c18_whileNodesAreNotKnown_NothingIsAdmitted_AndNothingEnds() {
        assumeLabelledJobsAreTakenWithoutMuster();
        try (Site site = Site.installed(plane, "c18")) {
            // given twenty waiting gangs, nodes, and a Muster that may not list nodes yet
            site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("c18");
            for (int i = 0; i < 20; i++) {
                site.submit(Gang.of(ns, "g" + i, queue, 1, 4));
            }
            plane.admin().rbac().clusterRoles().withName("muster").edit(role -> {
                role.setRules(role.getRules().stream()
                        .filter(rule -> !rule.getResources().contains("nodes"))
                        .toList());
                return role;
            });
            Installation.webhook(plane, site.muster());
            site.muster().startUnready();
            // when it has everything but the nodes
            Await.until(
                    "health names the nodes",
                    () -> site.muster()
                            .get(site.muster().managementUri("/q/health/ready"))
                            .body()
                            .contains("\"down\": \"nodes\""));
            // then it neither decides nor ends, and is not ready
            Await.always(
                    "nothing is admitted",
                    Duration.ofSeconds(5),
                    () -> site.started(ns).isEmpty() && site.muster().isAlive());
            assertThat(site.muster().isReady()).isFalse();
            // and when the nodes come, what fits starts
            Installation.apply(plane, Path.of("manifests"));
            Await.until(
                    "four are admitted",
                    Duration.ofSeconds(60),
                    () -> site.started(ns).size(),
                    n -> n == 4);
        }
    }

    @Test
    void c19_withMusterDown_UnlabelledJobsRun_AndLabelledOnesAreStoredSuspended() {
        assumeLabelledJobsAreTakenWithoutMuster();
        try (Site site = Site.installed(plane, "c19")) {
            // given
            site.nodes(1);
            String queue = site.queue("team", 8);
            String ns = plane.newNamespace("c19");
            plane.nodes(dev.muster.cluster.FakeNode.cpu(plane.unique("cpu"), 4, "8Gi"));
            site.start();
            assertThat(site.muster().stop()).isEqualTo(143);
            // when
            site.submit(Gang.unlabelled(ns, "a"));
            site.submit(Gang.of(ns, "b", queue, 1, 8));
            // then
            Await.until(
                    "the unlabelled job's pod runs",
                    () -> site.pods(ns, "a").stream()
                            .anyMatch(pod -> "Running".equals(pod.getStatus().getPhase())));
            assertThat(site.job(ns, "a").getMetadata().getLabels()).doesNotContainKey("muster.dev/managed");
            assertThat(site.job(ns, "b").getSpec().getSuspend()).isTrue();
            assertThat(site.pods(ns, "b")).isEmpty();
        }
    }

    @Test
    void c23_aGangThatIsStopped_IsSuspendedFirst_AndThenStartsInTheOtherClass_WithItsTemplateUntouched() {
        try (Site site = Site.installed(plane, "c23")) {
            // given class one is full, class two has no node yet, and J may use both
            String one = site.nodeClass();
            String two = plane.unique("two");
            site.nodeClass(two);
            String node = site.nodes(1).get(0);
            String queue = site.queue(
                    "team",
                    "{nodeClass: %s, resource: nvidia.com/gpu, nominal: 8}, {nodeClass: %s, resource: nvidia.com/gpu, nominal: 8}"
                            .formatted(one, two));
            String ns = plane.newNamespace("c23");
            site.start();
            site.submit(Gang.of(ns, "first", queue, 1, 8));
            site.awaitState(ns, "first", "running");
            Job before = site.submit(
                    Gang.of(ns, "j", queue, 1, 8).annotated("muster.dev/node-classes: \"" + one + ", " + two + "\""));
            // when a leader that had been replaced admits J to class one, through an API server that does not know yet
            fence("Audit");
            String admission =
                    "{\\\"version\\\":1,\\\"attempt\\\":1,\\\"admittedAt\\\":1,\\\"podsets\\\":[{\\\"podset\\\":\\\"main\\\","
                            + "\\\"nodeClass\\\":\\\"" + one
                            + "\\\",\\\"perMember\\\":{\\\"nvidia.com/gpu\\\":8},\\\"nodes\\\":[[\\\"" + node
                            + "\\\",1]]}]}";
            Await.until("the late write is stored", () -> {
                plane.asMuster()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(ns)
                        .resource(before)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"spec\":{\"suspend\":false},\"metadata\":{\"labels\":{\"muster.dev/state\":\"admitted\"},\"annotations\":"
                                        + "{\"muster.dev/fence\":\"late/0\",\"muster.dev/admission\":\"" + admission
                                        + "\"}}}");
                return true;
            });
            // then it is void: suspended again, and no pod of it ever came to the node
            Await.until("J is stopped", () -> site.job(ns, "j").getSpec().getSuspend());
            site.awaitState(ns, "j", "waiting");
            assertThat(site.job(ns, "j").getMetadata().getAnnotations()).doesNotContainKey("muster.dev/admission");
            fence("Deny");
            // and when class two gets a node, J runs there
            String other = site.nodes(1, two).get(0);
            Job after = site.awaitState(ns, "j", "running");
            assertThat(site.pods(ns, "j"))
                    .singleElement()
                    .satisfies(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(other));
            assertThat(after.getSpec().getTemplate()).isEqualTo(before.getSpec().getTemplate());
        }
    }

    @Test
    void c49_c50_twoJobsOfOneNamePrefix_AreTwoGangs_AndTheirPodsCarryNoEmptyLabels() {
        try (Site site = Site.installed(plane, "c49")) {
            // given
            site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("c49");
            site.start();
            // when
            String yaml =
                    Gang.of(ns, "sleep-", queue, 1, 8).yaml().replaceFirst("name: sleep-", "generateName: sleep-");
            String first = plane.create(yaml).getMetadata().getName();
            String second = plane.create(yaml).getMetadata().getName();
            // then
            site.awaitState(ns, first, "running");
            site.awaitState(ns, second, "running");
            List<Pod> pods = plane.admin().pods().inNamespace(ns).list().getItems();
            assertThat(pods).hasSize(2).allSatisfy(pod -> {
                assertThat(pod.getMetadata().getLabels().values()).noneMatch(String::isEmpty);
                assertThat(pod.getMetadata().getAnnotations().values()).noneMatch(String::isEmpty);
            });
            assertThat(pods.stream()
                            .map(pod -> pod.getMetadata().getAnnotations().get("muster.dev/gang-uid")))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void c51_aServerSideDryRunAnswersAsTheRealOne_AndLeavesNoTrace() {
        try (Site site = Site.installed(plane, "c51")) {
            // given
            site.nodes(1);
            String queue = site.queue("team", 8);
            String ns = plane.newNamespace("c51");
            site.start();
            Job wanted =
                    (Job) plane.parse(Gang.of(ns, "try", queue, 1, 8).yaml()).get(0);
            // when
            Job dry = plane.admin().resource(wanted).dryRun().create();
            // then
            assertThat(dry.getSpec().getSuspend()).isTrue();
            assertThat(plane.admin().batch().v1().jobs().inNamespace(ns).list().getItems())
                    .isEmpty();
            Await.always(
                    "the queue counts nothing",
                    Duration.ofSeconds(3),
                    () -> site.queue(queue).getStatus() == null
                            || Integer.valueOf(0)
                                            .equals(site.queue(queue)
                                                    .getStatus()
                                                    .waiting())
                                    && Integer.valueOf(0)
                                            .equals(site.queue(queue)
                                                    .getStatus()
                                                    .admitted()));
            Job real = site.submit(Gang.of(ns, "try", queue, 1, 8));
            assertThat(real.getMetadata().getLabels())
                    .isEqualTo(dry.getMetadata().getLabels());
            assertThat(real.getSpec().getTemplate().getSpec())
                    .isEqualTo(dry.getSpec().getTemplate().getSpec());
        }
    }

    /** Before Kubernetes 1.36 the webhook suspends labelled jobs, so they are refused while Muster is away. */
    private void assumeLabelledJobsAreTakenWithoutMuster() {
        assumeTrue(plane.knowsMutatingPolicies(), "before 1.36 a labelled job is refused while Muster is away");
    }

    /**
     * What the fence does with a late write. The binding is never deleted: an API server that starts the policy's watch of
     * the Lease a second time goes on to see the Lease of the first time.
     */
    private void fence(String action) {
        plane.admin()
                .genericKubernetesResources("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding")
                .withName("muster-fence")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"validationActions\":[\"" + action + "\"]}}");
    }
}

package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.FakeNode;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Muster is stopped, killed and hung: nothing runs worse than it must, nothing is lost and nothing happens twice. */
@OnControlPlane
class OutageIT {
    private final ControlPlane plane;

    OutageIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void whileItIsStopped_GangsRunOn_NewOnesAreStored_AndReplacementsWait_UntilItIsBack() {
        try (Site site = Site.installed(plane, "stopped")) {
            // given a running gang
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("stopped");
            site.start();
            site.submit(Gang.of(ns, "runs", queue, 2, 4));
            site.awaitState(ns, "runs", "running");
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L))) {
                // when Muster is stopped, a job comes, and a running pod is lost
                assertThat(site.muster().stop()).isEqualTo(143);
                site.submit(Gang.of(ns, "later", queue, 1, 8));
                Pod lost = site.pods(ns, "runs").get(0);
                plane.admin().resource(lost).delete();
                // then the other pod runs on, the replacement waits gated, the new job is stored suspended
                Await.until(
                        "a gated replacement", // the job's controller waits ten seconds after a lost pod
                        Duration.ofSeconds(90),
                        () -> site.pods(ns, "runs").stream()
                                .map(OutageIT::standing)
                                .toList(),
                        pods -> pods.stream().anyMatch(pod -> pod.endsWith("gated")));
                assertThat(site.pods(ns, "runs"))
                        .anyMatch(pod -> "Running".equals(pod.getStatus().getPhase()));
                assertThat(site.job(ns, "later").getSpec().getSuspend()).isTrue();
                // and when it is back, the replacement gets its place and the new job starts
                site.muster().startUnready();
                Await.until(
                        "both pods run",
                        Duration.ofSeconds(60),
                        () -> site.pods(ns, "runs").stream()
                                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                                .count(),
                        count -> count == 2);
                site.awaitState(ns, "later", "running");
                auditor.verify();
            }
        }
    }

    @Test
    void killedAtAnyPoint_ItLosesNothing_AndDoesNothingTwice() {
        try (Site site = Site.installed(plane, "killed")) {
            // given
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("killed");
            site.start();
            try (Auditor auditor = new Auditor(plane.admin(), Set.of(ns), nodes, Map.of(queue, 16L))) {
                for (int i = 0; i < 8; i++) {
                    site.submit(Gang.of(ns, "g" + i, queue, 2, 4).running("3s"));
                }
                // when it is killed before, between and after its writes
                int[] afterMillis = {0, 150, 2_000};
                for (int pause : afterMillis) {
                    long ended = ended(ns);
                    Await.always("time passes", Duration.ofMillis(pause), () -> true);
                    site.muster().kill();
                    assertThat(ended(ns)).isGreaterThanOrEqualTo(ended);
                    site.muster().startUnready();
                    site.awaitLead();
                }
                // then every gang runs to its end, once
                Await.until("all have ended", Duration.ofSeconds(120), () -> ended(ns), count -> count == 8);
                auditor.verify();
                List<Job> jobs =
                        plane.admin().batch().v1().jobs().inNamespace(ns).list().getItems();
                assertThat(jobs).allSatisfy(job -> {
                    assertThat(job.getStatus().getSucceeded()).isEqualTo(2);
                    assertThat(job.getStatus().getFailed()).isIn(null, 0);
                });
            }
        }
    }

    @Test
    void whileItHangs_AnUnlabelledJobsPodsComeWithin25Seconds_ThoughSixtyManagedPodsAreMade() {
        try (Site site = Site.installed(plane, "hung")) {
            // given twenty gangs of three run
            List<String> nodes = site.nodes(8);
            plane.nodes(FakeNode.cpu(plane.unique("cpu"), 4, "8Gi"));
            String queue = site.queue("team", 64);
            String ns = plane.newNamespace("hung");
            site.start();
            for (int i = 0; i < 20; i++) {
                site.submit(Gang.of(ns, "g" + i, queue, 3, 1));
            }
            for (int i = 0; i < 20; i++) {
                site.awaitState(ns, "g" + i, "running");
            }
            assertThat(nodes).hasSize(8);
            Set<String> before = managed(ns, pod -> true);
            // when Muster hangs, all their pods are lost, the first replacements are made, and an unlabelled job comes
            site.muster().freeze();
            try {
                plane.admin().pods().inNamespace(ns).withGracePeriod(0).delete();
                Await.until(
                        "a replacement is made",
                        Duration.ofSeconds(60),
                        () -> managed(
                                ns, pod -> !before.contains(pod.getMetadata().getName())),
                        made -> !made.isEmpty());
                site.submit(Gang.unlabelled(ns, "other"));
                // then
                Await.until(
                        "the unlabelled job's pod is there",
                        Duration.ofSeconds(25),
                        () -> site.pods(ns, "other").size(),
                        count -> count == 1);
            } finally {
                site.muster().thaw();
            }
            // and what was made meanwhile gets its place afterwards
            Await.until(
                    "sixty replacements run",
                    Duration.ofSeconds(120),
                    () -> managed(
                            ns,
                            pod -> !before.contains(pod.getMetadata().getName())
                                    && "Running".equals(pod.getStatus().getPhase())),
                    running -> running.size() == 60);
        }
    }

    private long ended(String ns) {
        return plane.admin().batch().v1().jobs().inNamespace(ns).list().getItems().stream()
                .filter(Facts::hasEnded)
                .count();
    }

    /** Names of the managed pods that are so. */
    private Set<String> managed(String ns, Predicate<Pod> wanted) {
        return plane.admin().pods().inNamespace(ns).withLabel("muster.dev/managed").list().getItems().stream()
                .filter(wanted)
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static String standing(Pod pod) {
        return pod.getMetadata().getName() + " " + pod.getStatus().getPhase()
                + (pod.getMetadata().getDeletionTimestamp() == null ? "" : " stopping")
                + (pod.getSpec().getSchedulingGates().isEmpty() ? "" : " gated");
    }
}

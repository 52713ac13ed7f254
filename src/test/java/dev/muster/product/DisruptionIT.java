package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Members are evicted, as by a drain: that ends no job, unless the job says so itself. */
@OnControlPlane
class DisruptionIT {
    private final ControlPlane plane;

    DisruptionIT(ControlPlane plane) {
        this.plane = plane;
    }

    @Test
    void anEvictedMemberIsReplaced_ThoughTheJobAllowsNoFailure_ButNotWhereItsOwnPolicyCountsIt() {
        try (Site site = Site.installed(plane, "disrupted")) {
            // given two running gangs without retries, one with a policy of its own that says nothing of disruptions
            site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("disrupted");
            site.start();
            submit(ns, "default", queue, "backoffLimit: 0");
            submit(
                    ns,
                    "own",
                    queue,
                    "backoffLimit: 0\n  podFailurePolicy:"
                            + " {rules: [{action: FailJob, onExitCodes: {operator: In, values: [3]}}]}");
            for (String name : List.of("default", "own")) {
                site.awaitState(ns, name, "running");
            }
            Set<String> before = uids(site.pods(ns, "default"));
            // when one member of each is evicted
            evict(site.pods(ns, "default").get(0));
            evict(site.pods(ns, "own").get(0));
            // then
            Await.until(
                    "the job with a policy of its own has failed",
                    Duration.ofSeconds(60),
                    () -> site.job(ns, "own"),
                    Facts::hasEnded);
            Await.until(
                    "the other one runs again with a new member",
                    Duration.ofSeconds(60),
                    () -> site.pods(ns, "default").stream()
                            .filter(pod -> "Running".equals(pod.getStatus().getPhase())
                                    && pod.getMetadata().getDeletionTimestamp() == null)
                            .toList(),
                    running -> running.size() == 2 && !uids(running).equals(before));
            assertThat(Facts.hasEnded(site.job(ns, "default"))).isFalse();
            assertThat(site.job(ns, "default").getStatus().getFailed()).isIn(null, 0);
        }
    }

    private void submit(String ns, String name, String queue, String fields) {
        plane.create(Gang.of(ns, name, queue, 2, 4)
                .yaml()
                .replace("completionMode: Indexed", "completionMode: Indexed\n  " + fields));
    }

    private void evict(Pod pod) {
        assertThat(plane.admin().pods().resource(pod).evict()).isTrue();
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }
}

package dev.muster.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import dev.muster.cluster.OnControlPlane;
import dev.muster.core.model.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of jobs that fail, lose a node, or have to go: told by what is stored, with bounds of a few seconds. */
@OnControlPlane
class LifeCycleIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ControlPlane plane;

    LifeCycleIT(ControlPlane plane) {
        this.plane = plane;
    }

    private Site site(String name) {
        Site site = Site.installed(plane, name);
        site.muster()
                .with("muster.life.trouble", "2s")
                .with("muster.life.first-rest", "1s")
                .with("muster.life.failures", "2")
                .with("muster.life.blink", "3s");
        return site;
    }

    private static JsonNode history(Job job) {
        String text = job.getMetadata().getAnnotations().getOrDefault(Marks.HISTORY, "{}");
        return Serialization.unmarshal(text, JsonNode.class).path("attempts");
    }

    @Test
    void aJobWithoutAnImageIsTriedTwiceAndHeld_AndOneThatLosesItsNodeStartsElsewhere() {
        try (Site site = site("failing")) {
            // given a job whose image cannot be had, and one that runs
            List<String> nodes = site.nodes(3);
            String queue = site.queue("team", 24);
            String ns = plane.newNamespace("failing");
            site.start();
            plane.create(Gang.of(ns, "typo", queue, 1, 8)
                    .yaml()
                    .replace("metadata: {annotations: {}}", "metadata: {annotations: {test.muster.dev/no-image: yes}}")
                    .replace("no-image: yes", "no-image: 'yes'"));
            site.submit(Gang.of(ns, "train", queue, 1, 8));
            Job running = site.awaitState(ns, "train", "running");
            String lost = Facts.plannedNodes(running).get(0);
            assertThat(nodes).contains(lost);
            // when its node goes
            plane.admin().nodes().withName(lost).delete();
            // then it starts on another, and what happened is kept
            Job again = Await.until(
                    "train runs on another node",
                    PATIENCE,
                    () -> site.job(ns, "train"),
                    job -> "running".equals(job.getMetadata().getLabels().get(Marks.STATE))
                            && !Facts.plannedNodes(job).get(0).equals(lost));
            assertThat(history(again)).hasSize(1);
            assertThat(history(again).path(0).path("why").asText()).isEqualTo(Reason.NODE_LOST.wireName());
            assertThat(history(again).path(0).path("fault").asText()).isEqualTo("cluster");
            assertThat(history(again).path(0).path("ran").asBoolean()).isTrue();
            Pod second = site.pods(ns, "train").stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .findFirst()
                    .orElseThrow();
            assertThat(second.getMetadata().getAnnotations()).containsEntry(Marks.ATTEMPT, "2");
            assertThat(second.getSpec().getContainers().get(0).getEnv())
                    .anySatisfy(variable -> assertThat(variable.getName()).isEqualTo("MUSTER_ATTEMPT"));
            // and the other one was tried twice, with what the kubelet said, and is held
            site.awaitSentence(ns, "typo", Reason.FAILED_TOO_OFTEN.wireName());
            JsonNode failed = history(site.job(ns, "typo"));
            assertThat(failed).hasSize(2);
            assertThat(failed).allSatisfy(attempt -> {
                assertThat(attempt.path("why").asText()).isEqualTo(Reason.START_FAILED.wireName());
                assertThat(attempt.path("fault").asText()).isEqualTo("job");
                assertThat(attempt.at("/failed/0/reason").asText()).isEqualTo("ImagePullBackOff");
                assertThat(attempt.at("/failed/0/message").asText()).startsWith("Back-off pulling image");
            });
            assertThat(site.ask(ns, "typo")).contains("muster.dev/max-failures above 2");
            assertThat(site.job(ns, "typo").getSpec().getSuspend()).isTrue();
        }
    }

    @Test
    void aDrainedNodeTellsJobAndPodsWhenTheyHaveToGo_AndAFreshCheckpointOnThePodEndsTheWait() {
        try (Site site = site("drained")) {
            // given an interruptible job whose pods want to hear of a stop
            List<String> nodes = site.nodes(2);
            String queue = site.queue("team", 16);
            String ns = plane.newNamespace("drained");
            site.start();
            site.submit(
                    Gang.of(ns, "train", queue, 1, 8).interruptible().annotated("muster.dev/notify-pods: \"true\""));
            String node =
                    Facts.plannedNodes(site.awaitState(ns, "train", "running")).get(0);
            assertThat(nodes).contains(node);
            // when its node is to be drained
            plane.admin()
                    .nodes()
                    .withName(node)
                    .edit(one -> one.edit()
                            .editSpec()
                            .addNewTaint("NoSchedule", "muster.dev/drain", null, "")
                            .endSpec()
                            .build());
            // then job and pod name the same time, a minute from now
            Job told = Await.until(
                    "the job is told",
                    PATIENCE,
                    () -> site.job(ns, "train"),
                    job -> job.getMetadata().getAnnotations().containsKey(Marks.STOP_AT));
            String stopAt = told.getMetadata().getAnnotations().get(Marks.STOP_AT);
            Pod pod = Await.until(
                    "its pod is told",
                    PATIENCE,
                    () -> site.pods(ns, "train").get(0),
                    one -> one.getMetadata().getAnnotations().containsKey(Marks.STOP_AT));
            assertThat(pod.getMetadata().getAnnotations()).containsEntry(Marks.STOP_AT, stopAt);
            // and when the pod says that its work is saved, it need not wait any longer
            plane.admin()
                    .pods()
                    .resource(pod)
                    .edit(one -> one.edit()
                            .editMetadata()
                            .addToAnnotations(
                                    Marks.LAST_CHECKPOINT, Instant.now().toString())
                            .endMetadata()
                            .build());
            Job moved = Await.until(
                    "train runs on the other node",
                    PATIENCE,
                    () -> site.job(ns, "train"),
                    job -> "running".equals(job.getMetadata().getLabels().get(Marks.STATE))
                            && !Facts.plannedNodes(job).get(0).equals(node));
            assertThat(Instant.now()).isBefore(Instant.parse(stopAt));
            assertThat(history(moved).path(0).path("why").asText()).isEqualTo(Reason.DRAINED.wireName());
            assertThat(moved.getMetadata().getAnnotations()).doesNotContainKey(Marks.STOP_AT);
        }
    }
}

package dev.muster.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import dev.muster.engine.Action;
import dev.muster.engine.Event;
import dev.muster.engine.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LocalClusterTest {
    @Test
    void aGangIsAdmittedPlacedRunAndFinishedInVirtualTime() throws IOException {
        LocalWorld world = LocalWorld.demo();

        Applied applied = world.apply(LocalWorld.example("train.yaml"));

        assertThat(applied).isEqualTo(new Applied(List.of("job.batch/train created"), false));
        assertThat(world.gang("vision", "train").state()).isEqualTo(GangState.ADMITTED);
        assertThat(world.cluster.objects("Pod"))
                .hasSize(2)
                .allSatisfy(pod ->
                        assertThat(pod.path("spec").path("nodeName").asText()).startsWith("h100-"))
                .extracting(pod -> pod.path("spec").path("nodeName").asText())
                .doesNotHaveDuplicates();

        world.pass(Duration.ofMinutes(1));
        assertThat(world.gang("vision", "train").state()).isEqualTo(GangState.RUNNING);

        world.pass(Duration.ofHours(3));
        assertThat(world.gang("vision", "train").state()).isEqualTo(GangState.FINISHED);
        assertThat(Models.object(job(world, "vision", "train").path("status").toString()))
                .isEqualTo(Models.object("""
                        {"active":0,"succeeded":2,"ready":0,"startTime":"2027-01-15T08:00:00Z",
                         "completionTime":"2027-01-15T11:00:20Z","conditions":[
                          {"type":"Suspended","status":"False","reason":"JobResumed","lastTransitionTime":"2027-01-15T08:00:00Z"},
                          {"type":"Complete","status":"True","reason":"CompletionsReached","lastTransitionTime":"2027-01-15T11:00:20Z"}]}
                        """));
    }

    @Test
    void aStaleWriteIsRefusedAndChangesNothing() throws IOException {
        LocalWorld world = LocalWorld.demo();
        world.apply(LocalWorld.example("train.yaml"));
        ObjectNode before = job(world, "vision", "train");
        world.seen.clear();

        Action.Target target = new Action.Target(JobController.uid(before), "vision", "train", "1");
        world.cluster.carryOut(new Plan(List.of(new Action.Mark(target, GangState.RUNNING)), false, Long.MAX_VALUE));

        assertThat(world.seen).singleElement().isInstanceOfSatisfying(Event.WriteRefused.class, refused -> {
            assertThat(refused.refusal()).isEqualTo(Event.Refusal.STALE);
            assertThat(refused.message()).contains("the object has been modified");
        });
        assertThat(job(world, "vision", "train")).isEqualTo(before);
    }

    @Test
    void aStoppedGangsPodsTerminateBeforeItsChargeEnds() throws IOException {
        LocalWorld world = LocalWorld.demo();
        world.apply(LocalWorld.example("train.yaml"));
        world.pass(Duration.ofMinutes(5));
        ObjectNode running = job(world, "vision", "train");

        Action.Target target = new Action.Target(
                JobController.uid(running),
                "vision",
                "train",
                running.path("metadata").path("resourceVersion").asText());
        world.cluster.carryOut(
                new Plan(List.of(new Action.Stop(target, Reason.QUEUE_STOPPED, "told to")), false, Long.MAX_VALUE));

        assertThat(job(world, "vision", "train")
                        .path("status")
                        .path("terminating")
                        .asInt())
                .isEqualTo(2);
        world.decide();
        assertThat(world.gang("vision", "train").state()).isEqualTo(GangState.STOPPING);
        world.pass(Duration.ofSeconds(30));
        assertThat(job(world, "vision", "train")
                        .path("status")
                        .path("terminating")
                        .asInt())
                .isZero();
        assertThat(world.gang("vision", "train").state())
                .as("it was released, and admitted again at once because the quota is free")
                .isEqualTo(GangState.ADMITTED);
    }

    @Test
    void applyingAgainChangesNothingAndSaysSo() throws IOException {
        LocalWorld world = LocalWorld.demo();
        world.apply(LocalWorld.example("train.yaml"));
        world.pass(Duration.ofMinutes(5));
        ObjectNode before = job(world, "vision", "train");

        assertThat(world.apply(LocalWorld.example("train.yaml")).lines()).containsExactly("job.batch/train unchanged");
        assertThat(job(world, "vision", "train")).isEqualTo(before);
    }

    @Test
    void aDryRunAnswersAsTheRealOneAndStoresNothing() throws IOException {
        LocalWorld world = LocalWorld.demo();

        Applied dry = world.cluster.apply(LocalWorld.example("train.yaml"), true);

        assertThat(dry.lines()).containsExactly("job.batch/train created (server dry run)");
        assertThat(world.cluster.objects("Job")).isEmpty();
    }

    @Test
    void aJobThatNobodyOptedInRunsWithoutMuster() throws IOException {
        LocalWorld world = LocalWorld.demo();

        world.apply(LocalWorld.example("cpu-prep.yaml"));
        world.pass(Duration.ofMinutes(31));

        assertThat(world.engine.views().gang("vision", "prepare-data")).isEmpty();
        assertThat(world.door.asked)
                .extracting(request -> request.path("kind").path("kind").asText())
                .doesNotContain("Job", "Pod");
        assertThat(JobController.hasEnded(job(world, "vision", "prepare-data"))).isTrue();
        assertThat(world.cluster.objects("Pod"))
                .extracting(pod -> pod.path("spec").path("nodeName").asText())
                .containsExactly("cpu-01");
    }

    @Test
    void aKindThatIsManagedOnRealClustersOnlyIsRefusedAndSaysSo() throws IOException {
        LocalWorld world = LocalWorld.demo();

        Applied applied = world.apply("""
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: bert, namespace: vision, labels: {muster.dev/queue: vision}}
                """);

        assertThat(applied.refused()).isTrue();
        assertThat(applied.lines())
                .containsExactly(
                        "error: resource mapping not found for name: \"bert\" namespace: \"vision\" from \"STDIN\": no"
                                + " matches for kind \"PyTorchJob\" in version \"kubeflow.org/v1\". Muster manages this kind on a real"
                                + " cluster; local mode runs batch Jobs. Maybe write a batch/v1 Job");
    }

    @Test
    void refusalsReadAsKubectlPrintsThem() throws IOException {
        LocalWorld world = LocalWorld.demo();

        Applied applied = world.apply(LocalWorld.example("train.yaml").replace("name: train", "name: bad-train")
                + "---\n" + LocalWorld.example("bad-field.yaml")
                + "---\n" + LocalWorld.example("small.yaml").replace("namespace: nlp", "namespace: nowhere")
                + "---\n" + LocalWorld.example("small.yaml").replace("restartPolicy: Never", "restartPolicy: Always")
                + "---\n{apiVersion: muster.dev/v1alpha1, kind: TeamQueue, metadata: {name: q}, spec: {weight: -1}}\n");

        assertThat(applied.refused()).isTrue();
        assertThat(applied.lines())
                .containsExactly(
                        "Warning: this one is bad",
                        "Error from server (Forbidden): error when creating \"STDIN\": admission webhook"
                                + " \"validate.jobs.muster.dev\" denied the request: bad names are not welcome",
                        "Error from server (BadRequest): error when creating \"STDIN\": Job in version \"v1\" cannot be handled as"
                                + " a Job: strict decoding error: unknown field \"spec.paralelism\" (line 37. Maybe parallelism)",
                        "Error from server (NotFound): error when creating \"STDIN\": namespaces \"nowhere\" not found",
                        "The Job \"evaluate\" is invalid: spec.template.spec.restartPolicy: Required value:"
                                + " valid values: \"OnFailure\", \"Never\"",
                        "The TeamQueue \"q\" is invalid: \n* spec.owner: Required value\n* spec.weight: Invalid value: -1:"
                                + " spec.weight in body should be greater than or equal to 0");
    }

    @Test
    void aStretchOfTheTraceFillsTheFleetAndNeverOverloadsANode() throws IOException {
        LocalWorld world = LocalWorld.demo();
        DemoTrace trace = DemoTrace.read(
                Files.readString(Path.of("queues/demo/philly-20171113-7d.csv")),
                Duration.ofHours(48).toMillis(),
                world.now);

        int finished = 0;
        for (int minute = 0; minute < 6 * 60; minute += 10) {
            world.cluster.apply(trace.until(world.now), false);
            world.decide();
            world.now += 600_000;
            world.cluster.tick();
            world.decide();
            assertThat(gpusByNode(world))
                    .allSatisfy((node, gpus) -> assertThat(gpus).as(node).isLessThanOrEqualTo(8));
            finished +=
                    world.engine.views().gangs(null, GangState.FINISHED, 10_000).size();
        }

        assertThat(finished).isPositive();
        assertThat(gpusByNode(world).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .as("GPUs in use after six hours")
                .isGreaterThan(150);
        assertThat(world.cluster.objects("Job")).hasSizeLessThan(2_000);
    }

    private static TreeMap<String, Integer> gpusByNode(LocalWorld world) {
        TreeMap<String, Integer> gpus = new TreeMap<>();
        for (ObjectNode pod : world.cluster.objects("Pod")) {
            if (Pods.isBound(pod) && !Pods.hasEnded(pod)) {
                gpus.merge(
                        pod.path("spec").path("nodeName").asText(),
                        pod.at("/spec/containers/0/resources/limits")
                                .path("nvidia.com/gpu")
                                .asInt(),
                        Integer::sum);
            }
        }
        return gpus;
    }

    private static ObjectNode job(LocalWorld world, String namespace, String name) {
        return world.cluster.object("Job", namespace, name).orElseThrow();
    }
}

package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.LabelDemand;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import dev.muster.core.model.TopologyWish;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GangReaderTest {
    private static final Surroundings SURROUNDINGS = new Surroundings() {
        @Override
        public OptionalInt priority(String priorityClassName) {
            return switch (priorityClassName) {
                case "urgent" -> OptionalInt.of(1000);
                case "low" -> OptionalInt.of(-5);
                default -> OptionalInt.empty();
            };
        }

        @Override
        public List<LimitRange> limitRanges(String namespace) {
            return List.of();
        }
    };

    @Test
    void aFullJobIsReadWhole() {
        Job job = job("""
                metadata:
                  uid: u-1
                  namespace: team-a
                  name: train
                  resourceVersion: "42"
                  creationTimestamp: "2024-05-01T00:00:10Z"
                  labels: {muster.dev/queue: vision, muster.dev/interruptible: "true", muster.dev/priority-class: urgent,
                    muster.dev/state: admitted}
                  annotations:
                    muster.dev/node-classes: "h100-sxm, a100-80g, h100-sxm"
                    muster.dev/requires: "cuda>=12.4, product=H100"
                    muster.dev/topology: preferred=example.com/zone
                    muster.dev/max-runtime: 1h30m
                    muster.dev/fence: l/3
                    muster.dev/admission: '{"version":1,"attempt":2,"admittedAt":7,"podsets":[]}'
                spec:
                  suspend: false
                  parallelism: 4
                  completions: 4
                  completionMode: Indexed
                  activeDeadlineSeconds: 60
                  template:
                    metadata: {annotations: {muster.dev/topology: required=example.com/rack}}
                    spec:
                      priorityClassName: low
                      nodeSelector: {disk: ssd}
                      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                        {matchExpressions: [{key: zone, operator: In, values: [a, b]}]},
                        {matchFields: [{key: metadata.name, operator: In, values: [n1]}]},
                        {}]}}}
                      tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}, {key: own, value: x}, {operator: Exists}]
                      containers: [{resources: {limits: {nvidia.com/gpu: 8}}}]
                status:
                  active: 4
                  terminating: 1
                  succeeded: 1
                  conditions: [{type: Suspended, status: "False"}, {type: SuccessCriteriaMet, status: "True"}]
                """);

        GangReading reading = GangReader.read(job, SURROUNDINGS);

        LabelDemand ssd = LabelDemand.equal("disk", "ssd");
        PodShape shape = new PodShape(
                Amounts.of(Map.of("nvidia.com/gpu", 8L, "pods", 1L)),
                List.of(
                        new NodeTerm(
                                List.of(ssd, new LabelDemand("zone", LabelDemand.Operator.IN, List.of("a", "b"))),
                                List.of()),
                        new NodeTerm(List.of(ssd), List.of("n1"))),
                List.of(
                        new Toleration("gpu", null, Taint.Effect.NO_SCHEDULE),
                        new Toleration("own", "x", null),
                        new Toleration(null, null, null)));
        Gang gang = new Gang(
                "u-1",
                "team-a",
                "train",
                "vision",
                1000,
                true,
                1_714_521_610_000L,
                List.of(new PodSet("main", 4, 4, shape, true, new TopologyWish("example.com/rack", true))),
                List.of("h100-sxm", "a100-80g"),
                List.of(
                        new Requirement("cuda", Requirement.Operator.AT_LEAST, "12.4"),
                        new Requirement("product", Requirement.Operator.EQUAL, "H100")),
                OptionalLong.of(5_400_000));
        GangStatus status = new GangStatus(
                "42",
                false,
                GangStatus.Acknowledged.YES,
                4,
                1,
                Map.of("main", 3),
                GangStatus.End.NOT_YET,
                GangState.ADMITTED,
                AdmissionText.read("{\"version\":1,\"attempt\":2,\"admittedAt\":7,\"podsets\":[]}"),
                "l/3",
                GangMarks.NONE);
        assertThat(reading).isEqualTo(new GangReading.Readable(gang, status));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void membersRankAndRemainingFollowTheJob(
            String sentence, String spec, String status, int count, boolean ranked, int remaining) {
        GangReading reading = GangReader.read(simple(spec, "{}", status), SURROUNDINGS);

        assertThat(reading).isInstanceOfSatisfying(GangReading.Readable.class, read -> {
            PodSet podset = read.gang().podsets().get(0);
            assertThat(List.of(podset.count(), podset.minCount(), podset.ranked()))
                    .isEqualTo(List.of(count, count, ranked));
            assertThat(read.status().remaining()).isEqualTo(Map.of("main", remaining));
        });
    }

    static Stream<Arguments> membersRankAndRemainingFollowTheJob() {
        return Stream.of(
                arguments("one member by default", "{}", "{}", 1, false, 1),
                arguments("a work queue has as many as its parallelism", "{parallelism: 3}", "{}", 3, false, 3),
                arguments(
                        "a work queue starts no more once one succeeded",
                        "{parallelism: 3}",
                        "{succeeded: 1, active: 2}",
                        3,
                        false,
                        2),
                arguments("completions cap it", "{parallelism: 9, completions: 2}", "{}", 2, false, 2),
                arguments(
                        "a plain job has no ranks", "{parallelism: 2, completions: 2}", "{succeeded: 1}", 1, false, 1),
                arguments(
                        "an Indexed job whose members run all at once is ranked",
                        "{parallelism: 2, completions: 2, completionMode: Indexed}",
                        "{}",
                        2,
                        true,
                        2),
                arguments(
                        "an Indexed job in waves is not ranked",
                        "{parallelism: 2, completions: 8, completionMode: Indexed}",
                        "{succeeded: 3}",
                        2,
                        false,
                        2),
                arguments(
                        "a job in waves has as many members as run at the same time",
                        "{parallelism: 4, completions: 100}",
                        "{succeeded: 96}",
                        4,
                        false,
                        4),
                arguments(
                        "a job in waves that waits again asks for what is left",
                        "{parallelism: 4, completions: 100}",
                        "{succeeded: 98}",
                        2,
                        false,
                        2),
                arguments(
                        "an Indexed job in waves too",
                        "{parallelism: 4, completions: 100, completionMode: Indexed}",
                        "{succeeded: 96, failedIndexes: '1'}",
                        3,
                        false,
                        3),
                arguments(
                        "a job all of whose members are done is still one member wide",
                        "{parallelism: 4, completions: 100}",
                        "{succeeded: 100}",
                        1,
                        false,
                        0),
                arguments(
                        "failed indexes do not run again",
                        "{parallelism: 8, completions: 8, completionMode: Indexed}",
                        "{succeeded: 2, failedIndexes: '1,3-5'}",
                        8,
                        true,
                        2));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatCannotBeAGangIsRefusedWithFieldValueAndCure(
            String sentence, String spec, String pod, List<String> problems) {
        GangReading reading = GangReader.read(simple(spec, pod, "{}"), SURROUNDINGS);

        assertThat(reading)
                .isInstanceOfSatisfying(
                        GangReading.Unreadable.class,
                        read -> assertThat(read.problems()).containsExactlyElementsOf(problems));
    }

    static Stream<Arguments> whatCannotBeAGangIsRefusedWithFieldValueAndCure() {
        return Stream.of(
                arguments(
                        "no member",
                        "{parallelism: 0}",
                        "{}",
                        List.of("spec.parallelism is '0': no pod would ever run. Maybe set it to 1 or more")),
                arguments(
                        "c04: members times request beyond counting",
                        "{parallelism: 2000000000}",
                        "{containers: [{resources: {requests: {memory: 1T}}}]}",
                        List.of("all 2000000000 members together ask 1000000000000 times 2000000000 of memory: that is"
                                + " more than can be counted, which ends at 10^15. Maybe a unit is wrong")),
                arguments(
                        "all that goes around the queue, at once",
                        "{}",
                        "{nodeName: n1, schedulerName: other, resourceClaims: [{name: gpu, resourceClaimName: shared}], priorityClassName: nope}",
                        List.of(
                                "spec.template.spec.nodeName is 'n1': it goes past the scheduler and the queue."
                                        + " Maybe use a nodeSelector",
                                "spec.template.spec.schedulerName is 'other': Muster places for default-scheduler"
                                        + " only. Maybe remove it",
                                "spec.template.spec.resourceClaims[0].resourceClaimName is 'shared': pods may share a claim"
                                        + " that exists, so nobody can tell whom to charge for it. Maybe name a"
                                        + " resourceClaimTemplateName",
                                "spec.template.spec.priorityClassName is 'nope': there is no PriorityClass of this"
                                        + " name. Maybe see kubectl get priorityclasses")));
    }

    @Test
    void c49_twoJobsFromOnePrefixAreTwoGangsByTheirUid() {
        Job one = simple("{}", "{}", "{}");
        Job two = simple("{}", "{}", "{}");
        one.getMetadata().setUid("u-1");
        two.getMetadata().setUid("u-2");
        one.getMetadata().setGenerateName("sleep-");
        two.getMetadata().setGenerateName("sleep-");

        assertThat(uid(one)).isEqualTo("u-1");
        assertThat(uid(two)).isEqualTo("u-2");
    }

    @Test
    void aJobThatIsNoGangIsStillKnownByWhoItIs() {
        Job job = job("""
                metadata:
                  uid: u-1
                  namespace: team-a
                  name: odd
                  creationTimestamp: "2026-11-30T12:00:00Z"
                  labels: {muster.dev/queue: vision}
                spec: {suspend: true}
                """);

        GangReading reading = GangReader.read(job, SURROUNDINGS);

        assertThat(reading)
                .isEqualTo(new GangReading.Unreadable(
                        "u-1",
                        "team-a",
                        "odd",
                        "vision",
                        1_796_040_000_000L,
                        List.of("spec.template.spec is missing: a gang needs a pod template"),
                        GangReader.status(job)));
    }

    @Test
    void aJobThatIsNotStoredYetIsReadWithoutNameAndUid() {
        Job job = simple("{}", "{}", "{}");

        assertThat(uid(job)).isEmpty();
    }

    private static String uid(Job job) {
        return ((GangReading.Readable) GangReader.read(job, SURROUNDINGS))
                .gang()
                .uid();
    }

    private static Job simple(String spec, String pod, String status) {
        Job job = job("metadata: {labels: {muster.dev/queue: vision}}\nspec: " + spec + "\nstatus: " + status);
        job.getSpec()
                .setTemplate(Serialization.unmarshal(
                        "---\nspec: " + pod, io.fabric8.kubernetes.api.model.PodTemplateSpec.class));
        return job;
    }

    private static Job job(String yaml) {
        return Serialization.unmarshal("apiVersion: batch/v1\nkind: Job\n" + yaml, Job.class);
    }
}

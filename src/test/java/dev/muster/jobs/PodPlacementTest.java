package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodPlacementTest {
    private static final List<Toleration> GPU = List.of(new Toleration("gpu", "", Taint.Effect.NO_SCHEDULE));
    private static final String STAMPS =
            "{muster.dev/gang-uid: u-1, muster.dev/podset: main, muster.dev/charged-queue: vision, muster.dev/node-class: h100,"
                    + " muster.dev/attempt: '2'}";
    private static final PodPlacement.Stamps AS = new PodPlacement.Stamps("u-1", "vision", 2);
    private static final String UNGATED = "{op: remove, path: /spec/schedulingGates}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aPodGetsItsPlace(String sentence, String pod, String nodes, @Nullable Integer rank, String expected) {
        JsonNode patch =
                Serialization.jsonMapper().valueToTree(PodPlacement.patch(yaml(pod), place(nodes), AS, GPU, rank));

        assertThat(patch).isEqualTo(yaml(expected));
    }

    static Stream<Arguments> aPodGetsItsPlace() {
        String toleration =
                "{op: add, path: /spec/tolerations, value: [{key: gpu, operator: Equal, effect: NoSchedule}]}";
        String stamps = "{op: add, path: /metadata/annotations, value: " + STAMPS + "}";
        String rest = ", " + toleration + ", " + stamps + ", " + UNGATED + "]";
        String gated = "schedulingGates: [{name: muster.dev/place}]";
        return Stream.of(
                arguments(
                        "c50: a pod without a name and with a rank gets its exact node",
                        "{metadata: {generateName: train-}, spec: {" + gated + "}}",
                        "n1*1,n2*2",
                        2,
                        "[" + affinity("[" + field("n2") + "]") + rest),
                arguments(
                        "a pod without a rank may go to each node of the place",
                        "{metadata: {}, spec: {" + gated + "}}",
                        "n1*1,n2*2,n1*1",
                        null,
                        "[" + affinity("[" + field("n1") + ", " + field("n2") + "]") + rest),
                arguments(
                        "the node goes into every non-empty term, and preferences stay",
                        "{metadata: {}, spec: {" + gated + ", affinity: {nodeAffinity: {"
                                + "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}],"
                                + " requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                                + "{matchExpressions: [{key: a, operator: Exists}]}, {},"
                                + " {matchFields: [{key: metadata.name, operator: In, values: [n9]}]}]}}}}}",
                        "n1*1",
                        0,
                        "[{op: add, path: /spec/affinity, value: {nodeAffinity: {"
                                + "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}],"
                                + " requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                                + "{matchExpressions: [{key: a, operator: Exists}], matchFields: [{key: metadata.name, operator: In, values: [n1]}]}, {},"
                                + " {matchFields: [{key: metadata.name, operator: In, values: [n9]}, {key: metadata.name, operator: In, values: [n1]}]}]}}}}"
                                + rest),
                arguments(
                        "a stored pod is tested by UID and keeps the number of its terms",
                        "{metadata: {uid: p-1}, spec: {" + gated + ", affinity: {nodeAffinity: {"
                                + " requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                                + "{matchExpressions: [{key: a, operator: Exists}]}]}}}}}",
                        "n1*1,n2*1",
                        null,
                        "[{op: test, path: /metadata/uid, value: p-1}, "
                                + affinity("[{matchExpressions: [{key: a, operator: Exists},"
                                        + " {key: kubernetes.io/hostname, operator: In, values: [n1, n2]}]}]")
                                + rest),
                arguments(
                        "other annotations, tolerations and gates stay, and a toleration that is there is not doubled",
                        "{metadata: {annotations: {a: b}}, spec: {tolerations: [{key: gpu, operator: Equal, effect: NoSchedule}],"
                                + " schedulingGates: [{name: other/gate}, {name: muster.dev/place}]}}",
                        "n1*1",
                        null,
                        "[" + affinity("[" + field("n1") + "]")
                                + ", {op: add, path: /metadata/annotations/muster.dev~1gang-uid, value: u-1}"
                                + ", {op: add, path: /metadata/annotations/muster.dev~1podset, value: main}"
                                + ", {op: add, path: /metadata/annotations/muster.dev~1charged-queue, value: vision}"
                                + ", {op: add, path: /metadata/annotations/muster.dev~1node-class, value: h100}"
                                + ", {op: add, path: /metadata/annotations/muster.dev~1attempt, value: '2'}"
                                + ", {op: replace, path: /spec/schedulingGates, value: [{name: other/gate}]}]"));
    }

    @Test
    void aboveSixtyFourNodesTheHostLabelIsDemandedInOneExpression() {
        String nodes = String.join(
                ",", IntStream.range(0, 65).mapToObj(i -> "n" + i + "*1").toList());

        JsonNode patch = Serialization.jsonMapper()
                .valueToTree(PodPlacement.patch(yaml("{metadata: {}, spec: {}}"), place(nodes), AS, List.of(), null));

        JsonNode terms =
                patch.at("/0/value/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
        assertThat(terms).hasSize(1);
        assertThat(terms.at("/0/matchExpressions/0/key").asText()).isEqualTo("kubernetes.io/hostname");
        assertThat(terms.at("/0/matchExpressions/0/values")).hasSize(65);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            nullValues = "-",
            value = {
                "a member of a plain job has no rank,                 'parallelism: 4, completions: 4',                             3,  -",
                "an index that runs beside all others is the rank,    'parallelism: 4, completions: 4, completionMode: Indexed',    3,  3",
                "in waves a member takes any free slot of the place,  'parallelism: 4, completions: 100, completionMode: Indexed',  3,  -",
                "in waves also one whose index is beyond all slots,   'parallelism: 4, completions: 100, completionMode: Indexed',  99, -",
                "a pod without an index has none,                     'parallelism: 4, completions: 4, completionMode: Indexed',    -,  -",
            })
    void aMemberHasARankOnlyWhereAllIndexesRunAtOnce(
            String sentence, String spec, @Nullable String index, @Nullable Integer rank) {
        Job job = Serialization.unmarshal("---\n{apiVersion: batch/v1, kind: Job, spec: {" + spec + "}}", Job.class);

        JsonNode pod = index == null
                ? yaml("{metadata: {}}")
                : yaml("{metadata: {annotations: {batch.kubernetes.io/job-completion-index: '" + index + "'}}}");

        assertThat(PodPlacement.rank(GangReader.isRanked(job), pod))
                .describedAs(sentence)
                .isEqualTo(rank);
    }

    @Test
    void aContainerOfAPodThatIsBeingMadeLearnsItsAttempt_UnlessItSaysSomethingElseItself() {
        String pod = "{metadata: {}, spec: {containers: [{name: a}, {name: b, env: [{name: X, value: y}]},"
                + " {name: c, env: [{name: MUSTER_ATTEMPT, value: mine}]}], initContainers: [{name: i}]}}";
        String variable = "{name: MUSTER_ATTEMPT, valueFrom:"
                + " {fieldRef: {fieldPath: \"metadata.annotations['muster.dev/attempt']\"}}}";

        JsonNode made =
                Serialization.jsonMapper().valueToTree(PodPlacement.patch(yaml(pod), place("n1*1"), AS, GPU, 0));
        JsonNode stored = Serialization.jsonMapper()
                .valueToTree(PodPlacement.patch(
                        yaml(pod.replace("{metadata: {}", "{metadata: {uid: p-1}")), place("n1*1"), AS, GPU, 0));

        assertThat(made.findParents("path").stream()
                        .filter(operation -> operation.path("path").asText().contains("/env"))
                        .toList())
                .isEqualTo(List.of(
                        yaml("{op: add, path: /spec/containers/0/env, value: [" + variable + "]}"),
                        yaml("{op: add, path: /spec/containers/1/env/-, value: " + variable + "}"),
                        yaml("{op: add, path: /spec/initContainers/0/env, value: [" + variable + "]}")));
        assertThat(stored.toString()).doesNotContain("/env");
    }

    @Test
    void aNoticeOnAPodIsOneAnnotationOfThisPodAlone() {
        assertThat(Serialization.jsonMapper()
                        .<JsonNode>valueToTree(
                                PodPlacement.notice(yaml("{metadata: {annotations: {a: b}}}"), "p-1", 60_000, "")))
                .isEqualTo(yaml("[{op: test, path: /metadata/uid, value: p-1}, {op: add,"
                        + " path: /metadata/annotations/muster.dev~1stop-at, value: '1970-01-01T00:01:00Z'}]"));
    }

    @Test
    void aRankWithoutANodeIsNoPlace() {
        assertThatThrownBy(() -> PodPlacement.patch(yaml("{metadata: {}, spec: {}}"), place("n1*1"), AS, List.of(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("podset main has no rank 1 among 1");
    }

    @Test
    void c47_noLabelThatMusterWritesDependsOnAName() throws IllegalAccessException {
        // given a job whose name has 63 characters, and queue and class names just as long
        PodSetPlace place = new PodSetPlace("main", "c".repeat(63), Amounts.NONE, List.of(new NodeSlots("n1", 1)));

        String patch = PodPlacement.patch(
                        yaml("{metadata: {}, spec: {}}"),
                        place,
                        new PodPlacement.Stamps("u-1", "q".repeat(63), 2),
                        GPU,
                        null)
                .toString();

        // then placing writes annotations alone, and every label key of ours is a constant with a constant value
        assertThat(patch).doesNotContain("/metadata/labels");
        for (var field : Arrays.stream(Marks.class.getFields())
                .filter(f -> Modifier.isStatic(f.getModifiers()))
                .toList()) {
            assertThat(((String) field.get(null)).substring("muster.dev/".length()))
                    .hasSizeLessThanOrEqualTo(63);
        }
    }

    private static String affinity(String terms) {
        return "{op: add, path: /spec/affinity, value: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " {nodeSelectorTerms: " + terms + "}}}}";
    }

    private static String field(String node) {
        return "{matchFields: [{key: metadata.name, operator: In, values: [" + node + "]}]}";
    }

    private static PodSetPlace place(String nodes) {
        List<NodeSlots> slots = Arrays.stream(nodes.split(","))
                .map(one -> one.split("\\*"))
                .map(pair -> new NodeSlots(pair[0], Integer.parseInt(pair[1])))
                .toList();
        return new PodSetPlace("main", "h100", Amounts.of("nvidia.com/gpu", 8), slots);
    }

    private static JsonNode yaml(String text) {
        return Serialization.unmarshal("---\n" + text, JsonNode.class);
    }
}

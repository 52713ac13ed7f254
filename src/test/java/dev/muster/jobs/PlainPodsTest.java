package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Taint;
import dev.muster.core.model.Toleration;
import dev.muster.core.model.Waiting;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlainPodsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Surroundings SURROUNDINGS = new Surroundings() {
        @Override
        public OptionalInt priority(String priorityClassName) {
            return OptionalInt.of(1000);
        }

        @Override
        public List<LimitRange> limitRanges(String namespace) {
            return List.of();
        }
    };
    private static final Admission ADMISSION = new Admission(
            1,
            1,
            7,
            List.of(new PodSetPlace("main", "h100", Amounts.of("nvidia.com/gpu", 2), List.of(new NodeSlots("n1", 1)))));
    private static final JobReader.Writing AS = new JobReader.Writing(
            "42",
            "lease/3",
            1_000,
            name -> name.equals("h100")
                    ? List.of(new Toleration("nvidia.com/gpu", null, Taint.Effect.NO_SCHEDULE))
                    : List.of());
    private static final String GATED = "schedulingGates: [{name: muster.dev/place}]";

    private final PlainPods reader = new PlainPods();

    @Test
    void aPodThatNamesAQueueIsReadAsAGangOfOneMember() {
        Pod pod = pod(GATED, "{}", "");

        GangReading reading = reader.read(pod, SURROUNDINGS);

        Gang gang = ((GangReading.Readable) reading).gang();
        assertThat(gang.uid() + " " + gang.namespace() + " " + gang.name() + " " + gang.queue() + " " + gang.priority())
                .isEqualTo("u-1 chat web-1 serving 1000");
        assertThat(gang.nodeClasses()).containsExactly("h100");
        assertThat(gang.podsets()).singleElement().satisfies(podset -> {
            assertThat(podset.name()).isEqualTo("main");
            assertThat(podset.count()).isEqualTo(1);
            assertThat(podset.ranked()).isFalse();
            assertThat(podset.shape().requests().get("nvidia.com/gpu")).isEqualTo(2);
        });
        assertThat(reading.status().suspended()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whereAPodStands(String sentence, String spec, String status, String leaving, String expected) {
        GangStatus read = reader.status(pod(spec, status, leaving));

        assertThat((read.suspended() ? "suspended " : "open ") + read.resumed() + " " + read.active() + " "
                        + read.end())
                .isEqualTo(expected);
    }

    static Stream<Arguments> whereAPodStands() {
        return Stream.of(
                arguments("a gated pod waits", GATED, "{}", "", "suspended NO 0 NOT_YET"),
                arguments("one without its gate runs", "", "{phase: Pending}", "", "open YES 1 NOT_YET"),
                arguments("one that went well has ended", "", "{phase: Succeeded}", "", "open YES 0 SUCCEEDED"),
                arguments("one that failed has ended", "", "{phase: Failed}", "", "open YES 0 FAILED"),
                arguments(
                        "one that is being deleted is leaving",
                        "",
                        "{phase: Running}",
                        "deletionTimestamp: '2026-11-30T12:00:00Z'",
                        "open YES 1 " + End.LEAVING));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aPodThatIsNotToBeStarted_SaysWhy(String sentence, String spec, Reason reason, String why) {
        GangReading reading = reader.read(pod(spec, "{}", ""), SURROUNDINGS);

        Waiting waiting = ((GangReading.Blocked) reading).waiting();
        assertThat(waiting.reason() + ": " + waiting.sentence()).isEqualTo(reason + ": " + why);
    }

    static Stream<Arguments> aPodThatIsNotToBeStarted_SaysWhy() {
        return Stream.of(
                arguments(
                        "somebody else's gate is on it too",
                        "schedulingGates: [{name: example.com/data}, {name: muster.dev/place}]",
                        Reason.FOREIGN_GATE,
                        "On the pod is the scheduling gate example.com/data of somebody else's; a place is given when no"
                                + " gate but Muster's is left."),
                arguments(
                        "somebody took the gate away",
                        "",
                        Reason.OVERRIDDEN,
                        "Somebody else took the gate muster.dev/place away: the pod runs without a decision of Muster's, is"
                                + " charged to its queue, and is not stopped."));
    }

    @Test
    void anAdmissionIsOnePatch_WithPlaceStampsAndTheGateAway() throws JsonProcessingException {
        JsonNode patch = JSON.readTree(reader.patch(pod(GATED, "{}", ""), new JobChange.Admit(ADMISSION), AS));

        assertThat(patch.at("/metadata/resourceVersion").asText()).isEqualTo("42");
        assertThat(patch.at("/metadata/labels").toString()).isEqualTo("{\"muster.dev/state\":\"admitted\"}");
        JsonNode annotations = patch.at("/metadata/annotations");
        assertThat(annotations.path("muster.dev/fence").asText()).isEqualTo("lease/3");
        assertThat(annotations.path("muster.dev/gang-uid").asText()).isEqualTo("u-1");
        assertThat(annotations.path("muster.dev/podset").asText()).isEqualTo("main");
        assertThat(annotations.path("muster.dev/charged-queue").asText()).isEqualTo("serving");
        assertThat(annotations.path("muster.dev/node-class").asText()).isEqualTo("h100");
        assertThat(AdmissionText.read(annotations.path("muster.dev/admission").asText()))
                .isEqualTo(ADMISSION);
        assertThat(patch.path("spec")).isEqualTo(JSON.readTree("""
                {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                   {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}},
                 "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                 "schedulingGates": null}
                """));
    }

    @Test
    void aStopIsNotedBeforeTheDeletion_AndTouchesNoSpec() throws JsonProcessingException {
        JsonNode patch =
                JSON.readTree(reader.patch(pod("", "{}", ""), new JobChange.Stop(Reason.PREEMPTED, "why"), AS));

        assertThat(patch.has("spec")).isFalse();
        assertThat(patch.at("/metadata/labels/muster.dev~1state").asText()).isEqualTo("stopping");
        assertThat(patch.at("/metadata/annotations/muster.dev~1stop-at").asText())
                .isEqualTo("1970-01-01T00:00:01Z");
    }

    @Test
    void everyOtherChangeTouchesNoSpec() throws JsonProcessingException {
        JsonNode patch = JSON.readTree(reader.patch(pod(GATED, "{}", ""), new JobChange.Mark(GangState.RUNNING), AS));

        assertThat(patch.has("spec")).isFalse();
    }

    @Test
    void aPodIsItsOwnMember_WhateverOwnsIt() {
        PodFacts facts = PodReader.read(pod("nodeName: n1", "{phase: Running}", ""));

        assertThat(facts.membership()).isEqualTo(new PodFacts.Membership("u-1", "main", "serving", ""));
        assertThat(facts.gated()).isFalse();
    }

    private static Pod pod(String spec, String status, String leaving) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  uid: u-1
                  namespace: chat
                  name: web-1
                  resourceVersion: "42"
                  labels: {muster.dev/queue: serving, muster.dev/pod-gang: "true"}
                  annotations: {muster.dev/node-classes: h100}
                  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r-1, controller: true}]
                  %s
                spec:
                  priorityClassName: urgent
                  containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: "2"}}}]
                  %s
                status: %s
                """.formatted(leaving, spec, status), Pod.class);
    }
}

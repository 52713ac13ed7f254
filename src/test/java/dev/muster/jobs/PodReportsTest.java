package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.PodReport.Trouble;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodReportsTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aTroubleIsSortedByWhoseFaultItIs(String sentence, String status, Fault fault, PodReport expected) {
        PodReport report = PodReports.read(pod("{}", status));

        assertThat(report).as(sentence).isEqualTo(expected);
        assertThat(report.trouble().fault()).isEqualTo(fault);
    }

    static Stream<Arguments> aTroubleIsSortedByWhoseFaultItIs() {
        return Stream.of(
                arguments("a pod that runs tells nothing", "{phase: Running}", Fault.NOBODY, PodReport.NONE),
                arguments(
                        "an image that cannot be pulled is the job's fault",
                        "{phase: Pending, containerStatuses: [{state: {waiting: {reason: ErrImagePull, message: m}}}]}",
                        Fault.JOB,
                        PodReport.of(Trouble.IMAGE, 0, "ErrImagePull", "m")),
                arguments(
                        "so it is of an init container",
                        "{phase: Pending, initContainerStatuses: [{state: {waiting: {reason: InvalidImageName}}}]}",
                        Fault.JOB,
                        PodReport.of(Trouble.IMAGE, 0, "InvalidImageName", "")),
                arguments(
                        "a crash loop tells how it crashed last",
                        "{phase: Running, containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff, message: b}},"
                                + " lastState: {terminated: {exitCode: 3, message: no data}}}]}",
                        Fault.JOB,
                        PodReport.of(Trouble.CRASHING, 3, "CrashLoopBackOff", "no data")),
                arguments(
                        "a secret that is missing is the job's fault",
                        "{phase: Pending, containerStatuses: [{state: {waiting: {reason: CreateContainerConfigError,"
                                + " message: secret gpu-token not found}}}]}",
                        Fault.JOB,
                        PodReport.of(
                                Trouble.CONFIGURATION, 0, "CreateContainerConfigError", "secret gpu-token not found")),
                arguments(
                        "a device that cannot be used is the cluster's",
                        "{phase: Pending, containerStatuses: [{state: {waiting: {reason: RunContainerError,"
                                + " message: 'nvidia-container-cli: initialization error'}}}]}",
                        Fault.CLUSTER,
                        PodReport.of(
                                Trouble.DEVICE, 0, "RunContainerError", "nvidia-container-cli: initialization error")),
                arguments(
                        "an exit code is the job's fault",
                        "{phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 0}}},"
                                + " {state: {terminated: {exitCode: 137, reason: OOMKilled}}}]}",
                        Fault.JOB,
                        PodReport.of(Trouble.FAILED, 137, "OOMKilled", "")),
                arguments(
                        "a pod that its node refused is the cluster's",
                        "{phase: Failed, reason: UnexpectedAdmissionError, message: no devices}",
                        Fault.CLUSTER,
                        PodReport.of(Trouble.REFUSED, 0, "UnexpectedAdmissionError", "no devices")),
                arguments(
                        "so it is when another pod took the room",
                        "{phase: Failed, reason: OutOfnvidia.com/gpu}",
                        Fault.CLUSTER,
                        PodReport.of(Trouble.REFUSED, 0, "OutOfnvidia.com/gpu", "")),
                arguments(
                        "an eviction is the cluster's, whatever the containers said at their end",
                        "{phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason: EvictionByEvictionAPI}],"
                                + " containerStatuses: [{state: {terminated: {exitCode: 143}}}]}",
                        Fault.CLUSTER,
                        PodReport.of(Trouble.DISRUPTED, 0, "EvictionByEvictionAPI", "")),
                arguments(
                        "a deadline of its own is the job's",
                        "{phase: Failed, reason: DeadlineExceeded}",
                        Fault.JOB,
                        PodReport.of(Trouble.FAILED, 0, "DeadlineExceeded", "")),
                arguments(
                        "a pod for which there is no node is the cluster's",
                        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                                + " message: 0/3 nodes}]}",
                        Fault.CLUSTER,
                        PodReport.of(Trouble.UNSCHEDULABLE, 0, "Unschedulable", "0/3 nodes")),
                arguments(
                        "one that is gated is not in trouble",
                        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated}]}",
                        Fault.NOBODY,
                        PodReport.NONE));
    }

    @Test
    void marksOnAPodAreRead_AndThoseThatCannotBeAreNoReasonToFail() {
        assertThat(PodReports.read(pod(
                        "{muster.dev/attempt: '3', muster.dev/last-checkpoint: '1970-01-01T00:00:05Z',"
                                + " muster.dev/stop-at: '1970-01-01T00:01:00Z'}",
                        "{phase: Running}")))
                .isEqualTo(PodReport.NONE.in(3).noted(OptionalLong.of(5_000), OptionalLong.of(60_000)));
        assertThat(PodReports.read(
                        pod("{muster.dev/attempt: x, muster.dev/last-checkpoint: yesterday}", "{phase: Running}")))
                .isEqualTo(PodReport.NONE);
    }

    @Test
    void aMessageIsCut() {
        String status = "{phase: Failed, reason: OutOfcpu, message: " + "x".repeat(5_000) + "}";

        assertThat(PodReports.read(pod("{}", status)).message()).hasSize(200).endsWith("...");
    }

    private static Pod pod(String annotations, String status) {
        return Serialization.unmarshal(
                "---\n{metadata: {name: p, annotations: " + annotations + "}, spec: {containers: []}, status: " + status
                        + "}",
                Pod.class);
    }
}

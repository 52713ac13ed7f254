package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Trouble;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a stored pod tells of itself. Whose fault a trouble is goes by the words of kubelet and scheduler: a pod that
 * failed as a whole before any container ran was refused by its node; one that the cluster took away says so in a condition.
 */
final class PodReports {
    private static final Set<String> IMAGE = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "ImageInspectError",
            "RegistryUnavailable",
            "SignatureValidationFailed");
    private static final Set<String> CONTAINER = Set.of(
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
            "StartError",
            "ContainerCannotRun",
            "PostStartHookError");
    private static final List<String> DEVICE = List.of("nvidia", "device", "cdi", "nvml", "gpu");
    private static final Set<String> TAKEN_AWAY =
            Set.of("Evicted", "Preempting", "Preempted", "NodeLost", "NodeShutdown", "Shutdown", "Terminated");

    private PodReports() {}

    static PodReport read(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        Map<String, String> marks = JobMarks.annotations(pod.getMetadata());
        PodReport trouble = trouble(pod, status);
        OptionalLong saved = time(marks.get(Marks.LAST_CHECKPOINT));
        OptionalLong stopAt = time(marks.get(Marks.STOP_AT));
        String attempt = marks.getOrDefault(Marks.ATTEMPT, "");
        boolean isStamped = attempt.matches("[0-9]{1,9}");
        return trouble == PodReport.NONE && saved.isEmpty() && stopAt.isEmpty() && !isStamped
                ? PodReport.NONE
                : trouble.in(isStamped ? Integer.parseInt(attempt) : 0).noted(saved, stopAt);
    }

    private static PodReport trouble(Pod pod, PodStatus status) {
        PodCondition disrupted = condition(status, "DisruptionTarget", "True");
        if (disrupted != null) {
            return PodReport.of(Trouble.DISRUPTED, 0, orEmpty(disrupted.getReason()), orEmpty(disrupted.getMessage()));
        }
        if ("Failed".equals(status.getPhase())) {
            return failed(status);
        }
        if ("Succeeded".equals(status.getPhase()) || pod.getMetadata().getDeletionTimestamp() != null) {
            return PodReport.NONE;
        }
        for (ContainerStatus container : containers(status).toList()) {
            PodReport waiting = waiting(container);
            if (waiting != PodReport.NONE) {
                return waiting;
            }
        }
        PodCondition unscheduled = condition(status, "PodScheduled", "False");
        return unscheduled == null || !"Unschedulable".equals(unscheduled.getReason())
                ? PodReport.NONE
                : PodReport.of(Trouble.UNSCHEDULABLE, 0, "Unschedulable", orEmpty(unscheduled.getMessage()));
    }

    private static PodReport failed(PodStatus status) {
        String reason = orEmpty(status.getReason());
        String message = orEmpty(status.getMessage());
        ContainerStateTerminated ended = containers(status)
                .map(container -> terminated(container.getState()))
                .filter(Objects::nonNull)
                .filter(state -> state.getExitCode() != null && state.getExitCode() != 0)
                .findFirst()
                .orElse(null);
        if (TAKEN_AWAY.contains(reason)) {
            return PodReport.of(Trouble.DISRUPTED, 0, reason, message);
        }
        if (ended != null) {
            String said = orEmpty(ended.getMessage());
            return PodReport.of(
                    Trouble.FAILED, ended.getExitCode(), orEmpty(ended.getReason()), said.isEmpty() ? message : said);
        }
        boolean refused = !reason.isEmpty() && !reason.equals("DeadlineExceeded");
        return PodReport.of(
                refused ? Trouble.REFUSED : Trouble.FAILED, 0, reason.isEmpty() ? "Failed" : reason, message);
    }

    private static PodReport waiting(ContainerStatus container) {
        ContainerStateWaiting waiting =
                container.getState() == null ? null : container.getState().getWaiting();
        String reason = waiting == null ? "" : orEmpty(waiting.getReason());
        String message = waiting == null ? "" : orEmpty(waiting.getMessage());
        if (IMAGE.contains(reason)) {
            return PodReport.of(Trouble.IMAGE, 0, reason, message);
        }
        if (reason.equals("CrashLoopBackOff")) {
            ContainerStateTerminated last = terminated(container.getLastState());
            int exitCode = last == null || last.getExitCode() == null ? 0 : last.getExitCode();
            String said = last == null ? "" : orEmpty(last.getMessage());
            return PodReport.of(Trouble.CRASHING, exitCode, reason, said.isEmpty() ? message : said);
        }
        if (CONTAINER.contains(reason)) {
            String lower = message.toLowerCase(Locale.ROOT);
            boolean device = !reason.equals("CreateContainerConfigError")
                    && DEVICE.stream().anyMatch(lower::contains);
            return PodReport.of(device ? Trouble.DEVICE : Trouble.CONFIGURATION, 0, reason, message);
        }
        return PodReport.NONE;
    }

    private static @Nullable ContainerStateTerminated terminated(@Nullable ContainerState state) {
        return state == null ? null : state.getTerminated();
    }

    private static Stream<ContainerStatus> containers(PodStatus status) {
        return Stream.concat(
                Present.in(status.getInitContainerStatuses()).stream(),
                Present.in(status.getContainerStatuses()).stream());
    }

    private static @Nullable PodCondition condition(PodStatus status, String type, String value) {
        return Present.in(status.getConditions()).stream()
                .filter(one -> type.equals(one.getType()) && value.equals(one.getStatus()))
                .findFirst()
                .orElse(null);
    }

    /** What cannot be read counts as absent: a pod is not unreadable for a note on it. */
    private static OptionalLong time(@Nullable String text) {
        try {
            return text == null
                    ? OptionalLong.empty()
                    : OptionalLong.of(Instant.parse(text).toEpochMilli());
        } catch (DateTimeException | ArithmeticException unreadable) {
            return OptionalLong.empty();
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

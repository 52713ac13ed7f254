package dev.muster.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.GangState;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.Reason;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobPatchesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOON = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();
    private static final Admission ADMISSION = new Admission(
            1,
            1,
            7,
            List.of(new PodSetPlace("main", "h100", Amounts.of("nvidia.com/gpu", 8), List.of(new NodeSlots("n1", 1)))));
    private static final String ADMITTED =
            "{\"version\":1,\"attempt\":1,\"admittedAt\":7,\"podsets\":[{\"podset\":\"main\",\"nodeClass\":\"h100\","
                    + "\"perMember\":{\"nvidia.com/gpu\":8},\"nodes\":[[\"n1\",1]]}]}";
    private static final String STOPPED =
            "{\"version\":1,\"reason\":\"Preempted\",\"since\":\"2026-11-30T12:00:00Z\",\"sentence\":\"Its place is due to a.\"}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void eachChangeIsOnePatch(String sentence, JobChange change, String state, String annotations, String spec)
            throws JsonProcessingException {
        ObjectNode patch = (ObjectNode) JSON.readTree(JobPatches.of(change, "42", "lease/3", NOON));

        ObjectNode expected = JSON.createObjectNode();
        ObjectNode metadata = expected.putObject("metadata").put("resourceVersion", "42");
        metadata.putObject("labels").put("muster.dev/state", state);
        metadata.putObject("annotations").put("muster.dev/fence", "lease/3").setAll((ObjectNode)
                JSON.readTree(annotations));
        if (!spec.isEmpty()) {
            expected.set("spec", JSON.readTree(spec));
        }
        assertThat(patch).isEqualTo(expected);
    }

    static Stream<Arguments> eachChangeIsOnePatch() {
        return Stream.of(
                arguments(
                        "a start clears what it was told and its claim",
                        new JobChange.Admit(ADMISSION),
                        "admitted",
                        "{\"muster.dev/admission\":" + quoted(ADMITTED)
                                + ",\"muster.dev/claim\":null,\"muster.dev/waiting\":null}",
                        "{\"suspend\":false}"),
                arguments(
                        "a repair changes the place alone",
                        new JobChange.Repair(ADMISSION),
                        "running",
                        "{\"muster.dev/admission\":" + quoted(ADMITTED) + "}",
                        ""),
                arguments(
                        "a claim keeps it waiting",
                        new JobChange.MakeClaim(new Claim(ADMISSION, List.of("u-2"))),
                        "waiting",
                        "{\"muster.dev/claim\":"
                                + quoted("{\"version\":1,\"place\":" + quoted(ADMITTED) + ",\"victims\":[\"u-2\"]}")
                                + "}",
                        ""),
                arguments(
                        "the end of a claim", new JobChange.DropClaim(), "waiting", "{\"muster.dev/claim\":null}", ""),
                arguments(
                        "a notice names its time",
                        new JobChange.Notice(NOON + 60_000, Reason.PREEMPTED, "Its place is due to a.", null),
                        "stopping",
                        "{\"muster.dev/stop-at\":\"2026-11-30T12:01:00Z\",\"muster.dev/waiting\":" + quoted(STOPPED)
                                + "}",
                        ""),
                arguments(
                        "a stop suspends and keeps the admission",
                        new JobChange.Stop(Reason.PREEMPTED, "Its place is due to a."),
                        "stopping",
                        "{\"muster.dev/waiting\":" + quoted(STOPPED) + "}",
                        "{\"suspend\":true}"),
                arguments(
                        "a stop keeps the evidence in the same patch",
                        new JobChange.Stop(
                                Reason.PREEMPTED,
                                "Its place is due to a.",
                                null,
                                PastRuns.NONE.leaving(new Attempt(
                                        1,
                                        NOON - 60_000,
                                        0,
                                        "Preempted",
                                        Fault.NOBODY,
                                        true,
                                        List.of(new Attempt.Loss("train-0", "n1", 137, "OOMKilled", ""))))),
                        "stopping",
                        "{\"muster.dev/waiting\":" + quoted(STOPPED) + ",\"muster.dev/history\":"
                                + quoted("{\"version\":1,\"evictions\":0,\"ranMillis\":0,\"attempts\":[{\"attempt\":1,"
                                        + "\"from\":\"2026-11-30T11:59:00Z\",\"why\":\"Preempted\",\"fault\":\"none\","
                                        + "\"ran\":true,\"failed\":[{\"pod\":\"train-0\",\"node\":\"n1\",\"exitCode\":137,"
                                        + "\"reason\":\"OOMKilled\"}]}]}")
                                + "}",
                        "{\"suspend\":true}"),
                arguments(
                        "an end that has to be heard of keeps the evidence",
                        new JobChange.Finish(new PastRuns(1, List.of(), 60_000)),
                        "finished",
                        "{\"muster.dev/history\":" + quoted("{\"version\":1,\"evictions\":1,\"ranMillis\":60000}")
                                + "}",
                        ""),
                arguments(
                        "the end of a charge takes admission and notice away",
                        new JobChange.Release(new PastRuns(3, List.of(1_000L), 90_000)),
                        "waiting",
                        "{\"muster.dev/history\":"
                                + quoted("{\"version\":1,\"evictions\":3,\"ranMillis\":90000,"
                                        + "\"evictedAt\":[\"1970-01-01T00:00:01Z\"]}")
                                + ",\"muster.dev/stop-at\":null,\"muster.dev/admission\":null}",
                        ""),
                arguments(
                        "an explanation tells since when it has been so, not when it was written",
                        new JobChange.Explain(Reason.QUOTA_EXHAUSTED, NOON - 3_600_000, "Queue a has 0 of 8 left."),
                        "waiting",
                        "{\"muster.dev/waiting\":"
                                + quoted(
                                        "{\"version\":1,\"reason\":\"QuotaExhausted\","
                                                + "\"since\":\"2026-11-30T11:00:00Z\",\"sentence\":\"Queue a has 0 of 8 left.\"}")
                                + "}",
                        ""),
                arguments(
                        "a mark changes the state alone", new JobChange.Mark(GangState.RUNNING), "running", "{}", ""));
    }

    @Test
    void everyChangeIsInTheTableAbove() {
        Set<Class<?>> seen =
                eachChangeIsOnePatch().map(row -> row.get()[1].getClass()).collect(Collectors.toSet());

        assertThat(seen).isEqualTo(Set.of(JobChange.class.getPermittedSubclasses()));
    }

    @Test
    void whatAGangWasToldIsReadBack_ForEveryReason() {
        assertThat(Arrays.stream(Reason.values())
                        .map(reason -> told(WaitingText.write(reason, NOON, "It \"waits\".")))
                        .toList())
                .isEqualTo(Arrays.stream(Reason.values())
                        .map(reason -> new Told(reason, NOON))
                        .toList());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "no JSON                              | {",
                "no object                            | 7",
                "nothing                              | ''",
                "no time                              | {\"reason\":\"Held\"}",
                "a time past counting                 | {\"reason\":\"Fragmented\",\"since\":\"+999999999-01-01T00:00:00Z\"}",
                "a reason of a later version          | {\"reason\":\"Later\",\"since\":\"2026-11-30T12:00:00Z\"}"
            })
    void whatCannotBeUnderstoodIsAsGoodAsNone_AndTheGangStaysReadable(String sentence, String text) {
        assertThat(told(text)).isNull();
        Problems problems = new Problems();
        GangStatusReader.read(job(text), "main", problems);
        assertThat(problems.all()).isEmpty();
    }

    private static @Nullable Told told(String text) {
        return GangReader.status(job(text)).marks().told();
    }

    private static Job job(String waiting) {
        return new JobBuilder()
                .withNewMetadata()
                .addToAnnotations(Marks.WAITING, waiting)
                .endMetadata()
                .build();
    }

    private static String quoted(String text) {
        return JSON.getNodeFactory().textNode(text).toString();
    }
}

package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangMarks.Wishes;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PastRuns;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads where a batch Job stands. A condition that only announces an end is no end yet. */
final class GangStatusReader {
    private GangStatusReader() {}

    /**
     * What a job and its own controller say, Muster's marks apart.
     *
     * @param end whatever a deletion says
     */
    record Said(
            boolean suspended,
            Acknowledged resumed,
            int active,
            int terminating,
            Map<String, Integer> remaining,
            End end) {}

    static GangStatus read(Job job, String podset, Problems problems) {
        JobStatus status = job.getStatus() == null ? new JobStatus() : job.getStatus();
        List<JobCondition> conditions = Present.in(status.getConditions());
        JobSpec spec = job.getSpec() == null ? new JobSpec() : job.getSpec();
        Said said = new Said(
                Boolean.TRUE.equals(spec.getSuspend()),
                resumed(conditions),
                orZero(status.getActive()),
                orZero(status.getTerminating()),
                Map.of(podset, remaining(spec, status)),
                end(conditions));
        return read(job.getMetadata(), said, problems);
    }

    /** Where a job of any kind stands. */
    static GangStatus read(@Nullable ObjectMeta meta, Said said, Problems problems) {
        Map<String, String> annotations = JobMarks.annotations(meta);
        String version = meta == null ? null : meta.getResourceVersion();
        boolean leaving = meta != null && meta.getDeletionTimestamp() != null;
        return new GangStatus(
                version == null ? "" : version,
                said.suspended(),
                said.resumed(),
                said.active(),
                said.terminating(),
                said.remaining(),
                leaving ? End.LEAVING : said.end(),
                state(JobMarks.labels(meta).get(Marks.STATE)),
                admission(annotations.get(Marks.ADMISSION), problems),
                annotations.getOrDefault(Marks.FENCE, ""),
                marks(annotations, problems));
    }

    private static GangMarks marks(Map<String, String> annotations, Problems problems) {
        String claim = annotations.get(Marks.CLAIM);
        String history = annotations.get(Marks.HISTORY);
        String waiting = annotations.get(Marks.WAITING);
        return new GangMarks(
                claim == null ? null : readable(Marks.CLAIM, claim, ClaimText::read, problems),
                time(annotations, Marks.STOP_AT, problems),
                time(annotations, Marks.LAST_CHECKPOINT, problems),
                history == null
                        ? PastRuns.NONE
                        : Objects.requireNonNullElse(
                                readable(Marks.HISTORY, history, HistoryText::read, problems), PastRuns.NONE),
                waiting == null ? null : WaitingText.read(waiting).orElse(null),
                wishes(annotations, problems));
    }

    private static Wishes wishes(Map<String, String> annotations, Problems problems) {
        boolean notify = "true".equals(annotations.get(Marks.NOTIFY_PODS));
        String failures = annotations.get(Marks.MAX_FAILURES);
        if (failures == null && !notify) {
            return Wishes.NONE;
        }
        if (failures != null && !failures.matches("[1-9][0-9]{0,3}")) {
            problems.add(
                    JobMarks.annotation(Marks.MAX_FAILURES),
                    failures,
                    "that is no number from 1 to 9999",
                    "write it like \"5\"");
            failures = null;
        }
        return new Wishes(notify, failures == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(failures)));
    }

    private static OptionalLong time(Map<String, String> annotations, String key, Problems problems) {
        String text = annotations.get(key);
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException e) {
            problems.add(JobMarks.annotation(key), text, "that is no time", "write it like 2026-11-30T12:00:00Z");
            return OptionalLong.empty();
        }
    }

    private static <T> @Nullable T readable(String key, String text, Function<String, T> reader, Problems problems) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException unreadable) {
            problems.add(JobMarks.annotation(key) + ": " + unreadable.getMessage());
            return null;
        }
    }

    private static Acknowledged resumed(List<JobCondition> conditions) {
        return conditions.stream()
                .filter(c -> "Suspended".equals(c.getType()))
                .map(c -> "True".equals(c.getStatus()) ? Acknowledged.NO : Acknowledged.YES)
                .findFirst()
                .orElse(Acknowledged.UNKNOWN);
    }

    private static End end(List<JobCondition> conditions) {
        if (isTrue(conditions, "Complete")) {
            return End.SUCCEEDED;
        }
        return isTrue(conditions, "Failed") ? End.FAILED : End.NOT_YET;
    }

    private static boolean isTrue(List<JobCondition> conditions, String type) {
        return conditions.stream().anyMatch(c -> type.equals(c.getType()) && "True".equals(c.getStatus()));
    }

    /** How many members of a job can still run at the same time. */
    static int remaining(Job job) {
        return remaining(
                job.getSpec() == null ? new JobSpec() : job.getSpec(),
                job.getStatus() == null ? new JobStatus() : job.getStatus());
    }

    /** How many members can still run: of a work queue none but the active ones once a member has succeeded. */
    private static int remaining(JobSpec spec, JobStatus status) {
        int succeeded = orZero(status.getSucceeded());
        if (spec.getCompletions() == null) {
            return succeeded > 0 ? orZero(status.getActive()) : Math.max(0, GangReader.members(spec));
        }
        long open = (long) spec.getCompletions() - succeeded - indexes(status.getFailedIndexes());
        return (int) Math.max(0, Math.min(GangReader.members(spec), open));
    }

    /** How many indexes a text such as {@code 1,3-5} names; 0 for a text of another form. */
    private static long indexes(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        long count = 0;
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", -1);
            try {
                count += Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0]) + 1;
            } catch (NumberFormatException otherForm) {
                return 0; // then more members count as open, which charges too much and never too little
            }
        }
        return count;
    }

    private static @Nullable GangState state(@Nullable String label) {
        for (GangState state : GangState.values()) {
            if (state.label().equals(label)) {
                return state;
            }
        }
        return null;
    }

    private static @Nullable Admission admission(@Nullable String text, Problems problems) {
        return text == null ? null : readable(Marks.ADMISSION, text, AdmissionText::read, problems);
    }

    private static int orZero(@Nullable Integer number) {
        return number == null ? 0 : number;
    }
}

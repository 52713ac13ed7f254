package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Waiting;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a batch Job as a gang. The identity is the UID alone; a job that is not stored yet has none, and its gang has an
 * empty one.
 */
public final class GangReader {
    /** Name of the only podset of a batch Job. */
    public static final String PODSET = "main";

    private static final String TEMPLATE = "spec.template";

    private GangReader() {}

    /** Reads the job; all that is wrong with it is reported at once. Never throws. */
    public static GangReading read(Job job, Surroundings surroundings) {
        Problems problems = new Problems();
        GangStatus status = GangStatusReader.read(job, PODSET, problems);
        Gang gang = gang(job, surroundings, problems);
        return gang == null || !problems.isEmpty()
                ? unreadable(job.getMetadata() == null ? new ObjectMeta() : job.getMetadata(), problems.all(), status)
                : new GangReading.Readable(gang, status);
    }

    /** A job that cannot be read as a gang. */
    static GangReading unreadable(ObjectMeta meta, List<String> problems, GangStatus status) {
        return new GangReading.Unreadable(
                orEmpty(meta.getUid()),
                orEmpty(meta.getNamespace()),
                orEmpty(meta.getName()),
                JobMarks.labels(meta).getOrDefault(Marks.QUEUE, ""),
                submittedAt(meta),
                problems,
                status);
    }

    /** A gang that is not to be decided about as it stands. */
    static GangReading blocked(ObjectMeta meta, Waiting waiting, GangStatus status) {
        return new GangReading.Blocked(
                orEmpty(meta.getUid()),
                orEmpty(meta.getNamespace()),
                orEmpty(meta.getName()),
                JobMarks.labels(meta).getOrDefault(Marks.QUEUE, ""),
                submittedAt(meta),
                waiting,
                status);
    }

    /** Where the job stands; an admission that cannot be read counts as none. Never throws. */
    public static GangStatus status(Job job) {
        return GangStatusReader.read(job, PODSET, new Problems());
    }

    /** Whether each member has an index of its own, and so its own exact node. */
    public static boolean isRanked(Job job) {
        JobSpec spec = job.getSpec();
        return spec != null
                && "Indexed".equals(spec.getCompletionMode())
                && spec.getCompletions() != null
                && spec.getCompletions() <= members(spec);
    }

    private static @Nullable Gang gang(Job job, Surroundings surroundings, Problems problems) {
        JobSpec spec = job.getSpec();
        if (spec == null || spec.getTemplate() == null || spec.getTemplate().getSpec() == null) {
            problems.add("spec.template.spec is missing: a gang needs a pod template");
            return null;
        }
        JobMarks marks = new JobMarks(job.getMetadata(), problems);
        int count = count(job, spec);
        Template template = new Template(
                PODSET,
                TEMPLATE,
                spec.getTemplate().getMetadata(),
                spec.getTemplate().getSpec(),
                Math.max(1, count),
                isRanked(job));
        PodSet podset =
                PodSets.read(template, marks, orEmpty(job.getMetadata().getNamespace()), surroundings, problems);
        if (count < 1) {
            String field = spec.getParallelism() != null && spec.getParallelism() < 1 ? "parallelism" : "completions";
            problems.add("spec." + field, "" + count, "no pod would ever run", "set it to 1 or more");
        }
        return gang(
                job.getMetadata(),
                marks,
                List.of(podset),
                List.of(template),
                surroundings,
                spec.getActiveDeadlineSeconds());
    }

    /** A gang of these podsets, from the marks on its job and the templates of its pods. */
    static Gang gang(
            ObjectMeta meta,
            JobMarks marks,
            List<PodSet> podsets,
            List<Template> templates,
            Surroundings surroundings,
            @Nullable Long deadline) {
        return new Gang(
                orEmpty(meta.getUid()),
                orEmpty(meta.getNamespace()),
                orEmpty(meta.getName()),
                marks.queue(),
                marks.priority(surroundings, templates),
                marks.interruptible(),
                submittedAt(meta),
                podsets,
                marks.nodeClasses(),
                marks.requirements(),
                marks.maxRuntime(deadline));
    }

    private static int count(Job job, JobSpec spec) {
        int count = members(spec);
        boolean mayShrink = count > 1 && spec.getCompletions() != null && !isRanked(job) && !isAdmitted(job);
        return mayShrink ? Math.max(1, Math.min(count, GangStatusReader.remaining(job))) : count;
    }

    /** Then the place that it was given has the say about how many members there are. */
    private static boolean isAdmitted(Job job) {
        return JobMarks.annotations(job.getMetadata()).containsKey(Marks.ADMISSION);
    }

    /** Members that run at the same time: parallelism, 1 by default, capped by completions. */
    static int members(JobSpec spec) {
        int parallelism = spec.getParallelism() == null ? 1 : spec.getParallelism();
        return spec.getCompletions() == null ? parallelism : Math.min(parallelism, spec.getCompletions());
    }

    private static long submittedAt(ObjectMeta meta) {
        String created = meta.getCreationTimestamp();
        try {
            return created == null ? 0 : Instant.parse(created).toEpochMilli();
        } catch (DateTimeException odd) {
            return 0; // the API server writes this field; a job from elsewhere counts as oldest
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

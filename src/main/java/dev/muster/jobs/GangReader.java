package dev.muster.jobs;

import dev.muster.api.Marks;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a batch Job as a gang. The identity is the UID alone; a job that is not stored yet has none, and its gang has an
 * empty one.
 */
public final class GangReader {
    /** Name of the only podset of a batch Job. */
    public static final String PODSET = "main";

    private static final String POD = "spec.template.spec";

    private GangReader() {}

    /** Reads the job; all that is wrong with it is reported at once. Never throws. */
    public static GangReading read(Job job, Surroundings surroundings) {
        Problems problems = new Problems();
        GangStatus status = GangStatusReader.read(job, PODSET, problems);
        Gang gang = gang(job, surroundings, problems);
        return gang == null || !problems.isEmpty()
                ? unreadable(job, problems.all(), status)
                : new GangReading.Readable(gang, status);
    }

    private static GangReading unreadable(Job job, List<String> problems, GangStatus status) {
        ObjectMeta meta = job.getMetadata() == null ? new ObjectMeta() : job.getMetadata();
        return new GangReading.Unreadable(
                orEmpty(meta.getUid()),
                orEmpty(meta.getNamespace()),
                orEmpty(meta.getName()),
                JobMarks.labels(meta).getOrDefault(Marks.QUEUE, ""),
                submittedAt(meta),
                problems,
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
        JobMarks marks = new JobMarks(job, problems);
        String namespace = orEmpty(job.getMetadata().getNamespace());
        PodSet podset = podset(job, marks, namespace, surroundings, problems);
        String queue = marks.queue();
        int priority = marks.priority(surroundings);
        boolean interruptible = marks.interruptible();
        Gang gang = podset == null
                ? null
                : new Gang(
                        orEmpty(job.getMetadata().getUid()),
                        namespace,
                        orEmpty(job.getMetadata().getName()),
                        queue,
                        priority,
                        interruptible,
                        submittedAt(job.getMetadata()),
                        List.of(podset),
                        marks.nodeClasses(),
                        marks.requirements(),
                        marks.maxRuntime());
        return gang;
    }

    private static @Nullable PodSet podset(
            Job job, JobMarks marks, String namespace, Surroundings surroundings, Problems problems) {
        JobSpec spec = job.getSpec();
        PodSpec pod = spec.getTemplate().getSpec();
        forbidden(pod, problems);
        String runtime = pod.getRuntimeClassName();
        Map<String, Quantity> overhead = runtime == null ? Map.of() : surroundings.overhead(runtime);
        Amounts requests = PodRequests.read(pod, surroundings.limitRanges(namespace), overhead, POD, problems);
        PodShape shape = new PodShape(
                requests, PodShapes.terms(pod, POD, problems), PodShapes.tolerations(pod.getTolerations()));
        int count = members(spec);
        if (count > 1 && spec.getCompletions() != null && !isRanked(job) && !isAdmitted(job)) {
            count = Math.max(1, Math.min(count, GangStatusReader.remaining(job)));
        }
        if (count < 1) {
            String field = spec.getParallelism() != null && spec.getParallelism() < 1 ? "parallelism" : "completions";
            problems.add("spec." + field, "" + count, "no pod would ever run", "set it to 1 or more");
            return null;
        }
        total(requests, count, problems);
        return new PodSet(PODSET, count, count, shape, isRanked(job), marks.topology());
    }

    /** Then the place that it was given has the say about how many members there are. */
    private static boolean isAdmitted(Job job) {
        return JobMarks.annotations(job.getMetadata()).containsKey(Marks.ADMISSION);
    }

    private static void forbidden(PodSpec pod, Problems problems) {
        if (pod.getNodeName() != null && !pod.getNodeName().isEmpty()) {
            problems.add(
                    POD + ".nodeName",
                    pod.getNodeName(),
                    "it goes past the scheduler and the queue",
                    "use a nodeSelector");
        }
        String scheduler = pod.getSchedulerName();
        if (scheduler != null && !scheduler.isEmpty() && !scheduler.equals("default-scheduler")) {
            problems.add(POD + ".schedulerName", scheduler, "Muster places for default-scheduler only", "remove it");
        }
        List<PodResourceClaim> claims = Present.in(pod.getResourceClaims());
        if (!claims.isEmpty()) {
            problems.add(
                    POD + ".resourceClaims",
                    claims.get(0).getName(),
                    "devices by ResourceClaim are not counted against quota yet, and nothing is free of charge",
                    "ask for an extended resource such as nvidia.com/gpu");
        }
    }

    private static void total(Amounts requests, int count, Problems problems) {
        requests.byResource().forEach((resource, one) -> {
            if (one <= Quantities.LARGEST_STATED && one > Quantities.LARGEST_STATED / count) {
                problems.add("all " + count + " members together ask " + one + " times " + count + " of " + resource
                        + ": that is more than can be counted, which ends at 10^15. Maybe a unit is wrong");
            }
        });
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

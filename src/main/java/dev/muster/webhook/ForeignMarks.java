package dev.muster.webhook;

import dev.muster.api.Marks;
import dev.muster.jobs.Problems;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Marks on a job that do not belong there: another queue system's, another controller's, or misspelt ones of our own. */
final class ForeignMarks {
    private static final List<String> OTHER_QUEUES = List.of(
            "kueue.x-k8s.io/",
            "volcano.sh/",
            "scheduling.volcano.sh/",
            "yunikorn.apache.org/",
            "kai.scheduler/",
            "runai/");
    private static final String OUR_PREFIX = "muster.dev/";
    private static final Set<String> OURS = Set.of(
            Marks.QUEUE,
            Marks.INTERRUPTIBLE,
            Marks.PRIORITY_CLASS,
            Marks.NODE_CLASSES,
            Marks.REQUIRES,
            Marks.TOPOLOGY,
            Marks.MAX_RUNTIME,
            Marks.MANAGED,
            Marks.STATE,
            Marks.ADMISSION,
            Marks.FENCE,
            Marks.WAITING,
            Marks.CLAIM,
            Marks.HISTORY,
            Marks.STOP_AT,
            Marks.LAST_CHECKPOINT,
            Marks.NOTIFY_PODS,
            Marks.MAX_FAILURES);
    private static final Set<String> LABELS =
            Set.of(Marks.QUEUE, Marks.INTERRUPTIBLE, Marks.PRIORITY_CLASS, Marks.MANAGED, Marks.STATE);
    private static final String JOB_CONTROLLER = "kubernetes.io/job-controller";

    private ForeignMarks() {}

    /** Notes what two systems would fight over as problems, and what is only ineffective as warnings. */
    static void check(Job job, Problems problems, List<String> warnings) {
        if (job.getSpec() == null || job.getSpec().getTemplate() == null) {
            return;
        }
        String managedBy = job.getSpec().getManagedBy();
        if (managedBy != null && !managedBy.equals(JOB_CONTROLLER)) {
            problems.add("spec.managedBy", managedBy, "another controller would run the job", "remove it");
        }
        otherQueues("metadata", job.getMetadata(), problems);
        otherQueues("spec.template.metadata", job.getSpec().getTemplate().getMetadata(), problems);
        own("label", labels(job.getMetadata()), warnings);
        own("annotation", annotations(job.getMetadata()), warnings);
    }

    private static void otherQueues(String at, @Nullable ObjectMeta meta, Problems problems) {
        labels(meta).forEach((key, value) -> otherQueue(at + ".labels[" + key + "]", key, value, problems));
        annotations(meta).forEach((key, value) -> otherQueue(at + ".annotations[" + key + "]", key, value, problems));
    }

    private static void otherQueue(String field, String key, String value, Problems problems) {
        if (OTHER_QUEUES.stream().anyMatch(key::startsWith)) {
            problems.add(
                    field,
                    value,
                    "two queue systems would both start and stop the job",
                    "remove it, or " + Marks.QUEUE);
        }
    }

    private static void own(String kind, Map<String, String> marks, List<String> warnings) {
        for (String key : marks.keySet()) {
            if (!key.startsWith(OUR_PREFIX)) {
                continue;
            }
            if (!OURS.contains(key)) {
                warnings.add(kind + " " + Problems.quote(key) + " is not known and has no effect."
                        + " Maybe it is misspelt, or of a newer version");
            } else if (LABELS.contains(key) != kind.equals("label")) {
                warnings.add(key + " is " + (LABELS.contains(key) ? "a label" : "an annotation")
                        + " and has no effect as " + (kind.equals("label") ? "a label" : "an annotation"));
            }
        }
    }

    private static Map<String, String> labels(@Nullable ObjectMeta meta) {
        return meta == null ? Map.of() : present(meta.getLabels());
    }

    private static Map<String, String> annotations(@Nullable ObjectMeta meta) {
        return meta == null ? Map.of() : present(meta.getAnnotations());
    }

    private static Map<String, String> present(@Nullable Map<String, String> marks) {
        TreeMap<String, String> kept = new TreeMap<>();
        if (marks != null) {
            marks.forEach((key, value) -> kept.put(key, value == null ? "" : value));
        }
        return kept;
    }
}

package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.jobs.PodPlacement;
import java.util.Locale;

/** Makes the pods of a job from its template, as the job controller and the API server together do, and asks the door. */
final class JobPods implements JobController.PodCreator {
    private static final int SUFFIX_LENGTH = 5;
    private static final int RADIX = 36;

    private final LocalStore store;
    private final Admissions admissions;
    private long made;

    JobPods(LocalStore store, Admissions admissions) {
        this.store = store;
        this.admissions = admissions;
    }

    @Override
    public void create(ObjectNode job, int index, long now) {
        ObjectNode pod = fromTemplate(job, index);
        limitRangeDefaults(pod);
        store.create(admissions.placed(pod), now);
    }

    private ObjectNode fromTemplate(ObjectNode job, int index) {
        boolean indexed = job.path("spec").path("completionMode").asText().equals("Indexed");
        JsonNode template = job.path("spec").path("template");
        String jobName = job.path("metadata").path("name").asText();
        ObjectNode pod = Models.JSON.createObjectNode();
        pod.put("apiVersion", "v1").put("kind", Pods.KIND);
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("name", jobName + "-" + (indexed ? index + "-" : "") + suffix());
        metadata.set("namespace", job.path("metadata").path("namespace"));
        ObjectNode labels = metadata.putObject("labels");
        ObjectNode annotations = metadata.putObject("annotations");
        template.path("metadata").path("labels").properties().forEach(e -> labels.set(e.getKey(), e.getValue()));
        template.path("metadata")
                .path("annotations")
                .properties()
                .forEach(e -> annotations.set(e.getKey(), e.getValue()));
        labels.put("batch.kubernetes.io/job-name", jobName);
        labels.put("batch.kubernetes.io/controller-uid", JobController.uid(job));
        if (indexed) {
            labels.put(PodPlacement.COMPLETION_INDEX, Integer.toString(index));
            annotations.put(PodPlacement.COMPLETION_INDEX, Integer.toString(index));
        }
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "batch/v1")
                .put("kind", JobController.KIND)
                .put("name", jobName)
                .put("uid", JobController.uid(job))
                .put("controller", true);
        pod.set("spec", template.path("spec").deepCopy());
        pod.putObject("status").put("phase", "Pending");
        return pod;
    }

    /** Containers without requests or limits get the defaults of the namespace's LimitRanges. */
    private void limitRangeDefaults(ObjectNode pod) {
        String namespace = pod.path("metadata").path("namespace").asText();
        for (ObjectNode range : store.list("LimitRange")) {
            if (range.path("metadata").path("namespace").asText().equals(namespace)) {
                for (JsonNode limit : range.path("spec").path("limits")) {
                    if (limit.path("type").asText().equals("Container")) {
                        pod.path("spec").path("containers").forEach(c -> defaults((ObjectNode) c, limit));
                    }
                }
            }
        }
    }

    private static void defaults(ObjectNode container, JsonNode limit) {
        ObjectNode limits = container.withObject("/resources/limits");
        ObjectNode requests = container.withObject("/resources/requests");
        limits.properties().forEach(e -> putIfAbsent(requests, e.getKey(), e.getValue()));
        limit.path("defaultRequest").properties().forEach(e -> putIfAbsent(requests, e.getKey(), e.getValue()));
        limit.path("default").properties().forEach(e -> {
            putIfAbsent(limits, e.getKey(), e.getValue());
            putIfAbsent(requests, e.getKey(), e.getValue());
        });
    }

    private static void putIfAbsent(ObjectNode target, String field, JsonNode value) {
        if (!target.has(field)) {
            target.set(field, value);
        }
    }

    private String suffix() {
        String digits = Long.toString(++made, RADIX).toLowerCase(Locale.ROOT);
        return "0".repeat(Math.max(0, SUFFIX_LENGTH - digits.length())) + digits;
    }
}

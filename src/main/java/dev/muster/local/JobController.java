package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.jobs.PodPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What the cluster's job controller does with a job: creates its pods while it is not suspended, deletes them when it is,
 * counts them, and says in conditions whether it is suspended or has ended. Suspending, resuming and ending are told as
 * the real one tells them, because the end of a charge is read off exactly that.
 */
final class JobController {
    static final String KIND = "Job";

    private final LocalStore store;
    private final Pods pods;
    private final PodCreator creator;
    private final Kubelet kubelet;

    /** Creates one pod of a job, asking the door. */
    interface PodCreator {
        void create(ObjectNode job, int index, long now);
    }

    JobController(LocalStore store, Pods pods, PodCreator creator, Kubelet kubelet) {
        this.store = store;
        this.pods = pods;
        this.creator = creator;
        this.kubelet = kubelet;
    }

    /** Brings one job's pods and status in line with its spec. */
    void sync(LocalStore.Key key, long now) {
        ObjectNode job = store.get(key).orElse(null);
        if (job == null || hasEnded(job)) {
            return;
        }
        List<ObjectNode> own = pods.ofJob(uid(job), key.namespace());
        boolean suspended = job.path("spec").path("suspend").asBoolean();
        if (suspended) {
            own.stream().filter(Pods::isActive).forEach(pod -> kubelet.stop(pod, now));
        } else {
            createMissing(job, own, now);
        }
        status(key, suspended, now);
    }

    private void createMissing(ObjectNode job, List<ObjectNode> own, long now) {
        if (succeeded(own) >= completions(job) || failed(own) > backoffLimit(job)) {
            return;
        }
        TreeSet<Integer> taken = new TreeSet<>();
        boolean onlyEnded =
                job.path("spec").path("podReplacementPolicy").asText().equals("Failed");
        int active = 0;
        int done = 0;
        for (ObjectNode pod : own) {
            boolean succeeded = Pods.phase(pod).equals("Succeeded");
            if (Pods.isActive(pod) || succeeded || (onlyEnded && Pods.isStopping(pod))) {
                taken.add(index(pod));
            }
            active += Pods.isActive(pod) || (onlyEnded && Pods.isStopping(pod)) ? 1 : 0;
            done += succeeded ? 1 : 0;
        }
        int wanted = Math.min(parallelism(job), completions(job) - done);
        for (int index = 0; active < wanted; index++) {
            if (taken.add(index)) {
                creator.create(job, index, now);
                active++;
            }
        }
    }

    private void status(LocalStore.Key key, boolean suspended, long now) {
        ObjectNode job = store.get(key).orElseThrow().deepCopy();
        List<ObjectNode> own = pods.ofJob(uid(job), key.namespace());
        ObjectNode status = job.withObject("/status");
        count(status, "active", own.stream().filter(Pods::isActive).count());
        count(
                status,
                "ready",
                own.stream().filter(Pods::isActive).filter(Pods::isReady).count());
        count(status, "terminating", own.stream().filter(Pods::isStopping).count());
        count(status, "succeeded", succeeded(own));
        count(status, "failed", failed(own));
        boolean wasSuspended = condition(status, "Suspended");
        if (suspended != wasSuspended) {
            set(status, "Suspended", suspended, suspended ? "JobSuspended" : "JobResumed", now);
        }
        if (!suspended && !status.has("startTime")) {
            status.put("startTime", LocalStore.time(now));
        }
        if (suspended) {
            status.remove("startTime");
        }
        if (succeeded(own) >= completions(job)) {
            set(status, "Complete", true, "CompletionsReached", now);
            status.put("completionTime", LocalStore.time(now));
        } else if (failed(own) > backoffLimit(job)) {
            set(status, "Failed", true, "BackoffLimitExceeded", now);
            own.stream().filter(Pods::isActive).forEach(pod -> kubelet.stop(pod, now));
        }
        store.update(job);
    }

    static boolean hasEnded(JsonNode job) {
        return condition(job.path("status"), "Complete") || condition(job.path("status"), "Failed");
    }

    private static boolean condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private static void set(ObjectNode status, String type, boolean value, String reason, long now) {
        ArrayNode conditions = status.withArray("/conditions");
        List<JsonNode> others = new ArrayList<>();
        conditions.forEach(condition -> {
            if (!condition.path("type").asText().equals(type)) {
                others.add(condition);
            }
        });
        conditions.removeAll().addAll(others);
        conditions
                .addObject()
                .put("type", type)
                .put("status", value ? "True" : "False")
                .put("reason", reason)
                .put("lastTransitionTime", LocalStore.time(now));
    }

    private static void count(ObjectNode status, String field, long count) {
        if (count > 0 || status.has(field)) {
            status.put(field, count);
        }
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    private static int index(JsonNode pod) {
        return pod.path("metadata")
                .path("annotations")
                .path(PodPlacement.COMPLETION_INDEX)
                .asInt(0);
    }

    private static int succeeded(List<ObjectNode> own) {
        return (int)
                own.stream().filter(pod -> Pods.phase(pod).equals("Succeeded")).count();
    }

    private static int failed(List<ObjectNode> own) {
        return (int)
                own.stream().filter(pod -> Pods.phase(pod).equals("Failed")).count();
    }

    private static int parallelism(JsonNode job) {
        return job.path("spec").path("parallelism").asInt(1);
    }

    /** Members that must succeed; of a work queue as many as run at once. */
    private static int completions(JsonNode job) {
        return job.path("spec").path("completions").asInt(parallelism(job));
    }

    private static int backoffLimit(JsonNode job) {
        return job.path("spec").path("backoffLimit").asInt(6);
    }
}

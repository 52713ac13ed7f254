package dev.muster.product;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;

/** What objects of the API server say, read by the tests' own rules and not by Muster's. */
final class Facts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GPU = "nvidia.com/gpu";

    private Facts() {}

    static boolean hasEnded(Job job) {
        return job.getStatus() != null
                && job.getStatus().getConditions() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                List.of("Complete", "Failed").contains(c.getType()) && "True".equals(c.getStatus()));
    }

    static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && List.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }

    /** Members that a job still wants to run. */
    static int members(Job job) {
        Integer succeeded = job.getStatus() == null ? null : job.getStatus().getSucceeded();
        int open = job.getSpec().getCompletions() - (succeeded == null ? 0 : succeeded);
        return Math.min(job.getSpec().getParallelism(), open);
    }

    static long gpus(PodSpec spec) {
        long sum = 0;
        for (Container container : spec.getContainers()) {
            Quantity limit = container.getResources().getLimits() == null
                    ? null
                    : container.getResources().getLimits().get(GPU);
            sum += limit == null ? 0 : limit.getNumericalAmount().longValueExact();
        }
        return sum;
    }

    /** The planned nodes of an admitted job, one for each member in rank order. */
    static List<String> plannedNodes(Job job) {
        return nodes(annotation(job, Marks.ADMISSION));
    }

    /** The nodes that a waiting job has claimed, one for each member in rank order; empty when it has none. */
    static List<String> claimedNodes(Job job) {
        String claim = annotation(job, Marks.CLAIM);
        return claim.isEmpty() ? List.of() : nodes(json(claim).path("place").asText());
    }

    private static List<String> nodes(String text) {
        List<String> nodes = new ArrayList<>();
        if (!text.isEmpty()) {
            for (JsonNode podset : json(text).path("podsets")) {
                for (JsonNode pair : podset.path("nodes")) {
                    for (int i = 0; i < pair.path(1).asInt(); i++) {
                        nodes.add(pair.path(0).asText());
                    }
                }
            }
        }
        return nodes;
    }

    /** When an admitted job was admitted, in milliseconds since the epoch. */
    static long admittedAt(Job job) {
        return json(annotation(job, Marks.ADMISSION)).path("admittedAt").asLong();
    }

    /** An annotation of a job; empty when it has none. */
    static String annotation(Job job, String key) {
        return job.getMetadata().getAnnotations() == null
                ? ""
                : job.getMetadata().getAnnotations().getOrDefault(key, "");
    }

    /** The state label of a job; empty when it has none. */
    static String state(Job job) {
        return job.getMetadata().getLabels() == null
                ? ""
                : job.getMetadata().getLabels().getOrDefault(Marks.STATE, "");
    }

    static boolean isSuspended(Job job) {
        return Boolean.TRUE.equals(job.getSpec().getSuspend());
    }

    static int index(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().get("batch.kubernetes.io/job-completion-index"));
    }

    /** The sentence in an answer of REST about a job that waits. */
    static String sentence(String answer) {
        return json(answer).findPath("sentence").asText();
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }
}

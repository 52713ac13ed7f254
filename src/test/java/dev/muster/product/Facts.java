package dev.muster.product;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
        List<String> nodes = new ArrayList<>();
        String text = job.getMetadata().getAnnotations() == null
                ? null
                : job.getMetadata().getAnnotations().get("muster.dev/admission");
        if (text != null) {
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

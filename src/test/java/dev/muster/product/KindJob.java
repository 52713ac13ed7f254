package dev.muster.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.cluster.Await;
import dev.muster.cluster.ControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A job of whatever kind on a real API server.
 *
 * @param name of the job, the only one with members in its namespace
 * @param suspend JSON pointer of its switch
 */
record KindJob(ControlPlane plane, String apiVersion, String kind, String namespace, String name, String suspend) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    JsonNode now() {
        GenericKubernetesResource found = plane.admin()
                .genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name)
                .get();
        return JSON.valueToTree(found);
    }

    JsonNode awaitState(String state) {
        return Await.until(
                "the " + kind + " is " + state,
                PATIENCE,
                this::now,
                job -> state.equals(
                        job.path("metadata").path("labels").path(Marks.STATE).asText()));
    }

    boolean isSuspended() {
        return now().at(suspend).asBoolean();
    }

    void patch(String patch) {
        plane.admin()
                .genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** Sets the only condition of its status, as its controller would. */
    void report(String condition, String status) {
        plane.admin()
                .genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"conditions\":[{\"type\":\"" + condition + "\",\"status\":\"" + status
                                + "\"}]}}");
    }

    /** Lets all members succeed now. */
    void finish() {
        members()
                .forEach(pod -> plane.admin()
                        .resource(pod)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"annotations\":{\"test.muster.dev/run-for\":\"0s\"}}}"));
    }

    /** Members that have been placed. */
    List<Pod> members() {
        String uid = now().path("metadata").path("uid").asText();
        return plane.admin().pods().inNamespace(namespace).withLabel(Marks.MANAGED).list().getItems().stream()
                .filter(pod -> uid.equals(annotation(pod, Marks.GANG_UID)))
                .toList();
    }

    /** How many members are on each node, by podset and node. */
    Map<String, Integer> spread() {
        Map<String, Integer> spread = new TreeMap<>();
        members()
                .forEach(pod -> spread.merge(
                        annotation(pod, Marks.PODSET) + " on " + pod.getSpec().getNodeName(), 1, Integer::sum));
        return spread;
    }

    /** As {@link #spread}, as it was admitted. */
    static Map<String, Integer> plannedSpread(JsonNode job) {
        Map<String, Integer> spread = new TreeMap<>();
        for (JsonNode place : admission(job).path("podsets")) {
            place.path("nodes")
                    .forEach(slots -> spread.merge(
                            place.path("podset").asText() + " on "
                                    + slots.path(0).asText(),
                            slots.path(1).asInt(),
                            Integer::sum));
        }
        return spread;
    }

    /** The node of each member by podset and rank. */
    Map<String, String> nodes() {
        Map<String, String> nodes = new TreeMap<>();
        for (Pod pod : members()) {
            Map<String, String> labels = pod.getMetadata().getLabels();
            String replica = labels.get("training.kubeflow.org/replica-index");
            int rank = replica != null
                    ? Integer.parseInt(replica)
                    : 2 * Integer.parseInt(labels.get("jobset.sigs.k8s.io/job-index"))
                            + Integer.parseInt(labels.get("batch.kubernetes.io/job-completion-index"));
            nodes.put(annotation(pod, Marks.PODSET) + " " + rank, pod.getSpec().getNodeName());
        }
        return nodes;
    }

    /** As {@link #nodes}, as it was admitted. */
    static Map<String, String> plannedNodes(JsonNode job) {
        Map<String, String> planned = new TreeMap<>();
        for (JsonNode place : admission(job).path("podsets")) {
            int rank = 0;
            for (JsonNode slots : place.path("nodes")) {
                for (int i = 0; i < slots.path(1).asInt(); i++) {
                    planned.put(
                            place.path("podset").asText() + " " + rank++,
                            slots.path(0).asText());
                }
            }
        }
        return planned;
    }

    static JsonNode admission(JsonNode job) {
        return Facts.json(
                job.path("metadata").path("annotations").path(Marks.ADMISSION).asText());
    }

    private static String annotation(Pod pod, String key) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(key, "");
    }
}

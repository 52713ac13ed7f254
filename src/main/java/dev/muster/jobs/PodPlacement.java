package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Toleration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON patch (RFC 6902) that gives a gated pod its place: node affinity, tolerations, stamps, and the gate away.
 *
 * <ol>
 *   <li>A pod with a rank gets its exact node; others may go to each node of the place.
 *   <li>The demand goes into every non-empty term of the pod's own required affinity, because terms are alternatives and a
 *       term left as it is would be a way around the place. Empty terms match nothing and stay.
 *   <li>Up to 64 nodes are named by {@code matchFields}, one node to a term, since it takes one value only. Above that, and
 *       on a stored pod with terms of its own (whose number may not change), the label {@code kubernetes.io/hostname} is
 *       demanded instead, in one expression.
 * </ol>
 */
public final class PodPlacement {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_NAMED_NODES = 64;
    private static final String HOST = "kubernetes.io/hostname";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    /** The annotation, and label, with which the job controller numbers the pods of an indexed job. */
    public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

    /** Name of the environment variable that tells a container which attempt of its gang it is, from 1. */
    public static final String ATTEMPT = "MUSTER_ATTEMPT";

    private PodPlacement() {}

    /**
     * Whose member a pod is.
     *
     * @param queue that is charged
     * @param attempt which admission of the gang it is, from 1
     */
    public record Stamps(String gangUid, String queue, int attempt) {}

    /**
     * The member's rank in its podset, 0 or more; null when its pod has no index that can be read, or its gang is not ranked:
     * then every node of the place will do.
     */
    public static @Nullable Integer rank(boolean ranked, JsonNode pod) {
        if (!ranked) {
            return null;
        }
        for (String map : List.of("annotations", "labels")) {
            String text = pod.path("metadata").path(map).path(COMPLETION_INDEX).asText();
            if (text.matches("[0-9]{1,9}")) {
                return Integer.valueOf(text);
            }
        }
        return null;
    }

    /**
     * The patch.
     *
     * @param pod as the API server sends or stores it; a stored one has a UID, and the patch then tests it
     * @param as whose member it is
     * @param classTolerations of the node class; those that the pod has already are not added again
     * @param rank of the member in its podset, from 0; null when every node of the place will do
     * @throws IllegalArgumentException if the place has no node, or none for this rank
     */
    public static List<Map<String, Object>> patch(
            JsonNode pod, PodSetPlace place, Stamps as, List<Toleration> classTolerations, @Nullable Integer rank) {
        List<String> nodes = rank == null
                ? place.nodes().stream().map(NodeSlots::node).distinct().toList()
                : List.of(place.nodeOfRank(rank));
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("the place of podset " + place.podset() + " has no node");
        }
        List<Map<String, Object>> patch = new ArrayList<>();
        String uid = pod.path("metadata").path("uid").asText();
        if (!uid.isEmpty()) {
            patch.add(operation("test", "/metadata/uid", uid));
        }
        patch.add(
                operation("add", "/spec/affinity", affinity(pod.path("spec").path("affinity"), nodes, !uid.isEmpty())));
        tolerations(pod.path("spec").path("tolerations"), classTolerations, patch);
        Map<String, String> stamps = new LinkedHashMap<>();
        stamps.put(Marks.GANG_UID, as.gangUid());
        stamps.put(Marks.PODSET, place.podset());
        stamps.put(Marks.CHARGED_QUEUE, as.queue());
        stamps.put(Marks.NODE_CLASS, place.nodeClass());
        stamps.put(Marks.ATTEMPT, Integer.toString(as.attempt()));
        stamp(pod.path("metadata").path("annotations"), stamps, patch);
        ungate(pod.path("spec").path("schedulingGates"), patch);
        if (uid.isEmpty()) {
            environment(pod.path("spec"), "containers", patch);
            environment(pod.path("spec"), "initContainers", patch);
        }
        return patch;
    }

    /**
     * Each container of a pod that is being created learns from {@value #ATTEMPT} which attempt it is, unless it says something
     * else itself. Of a stored pod that cannot be changed any more; the annotation is there for its own downward API.
     */
    private static void environment(JsonNode spec, String list, List<Map<String, Object>> patch) {
        for (int i = 0; i < spec.path(list).size(); i++) {
            JsonNode own = spec.path(list).path(i).path("env");
            boolean has = false;
            for (JsonNode one : own) {
                has |= ATTEMPT.equals(one.path("name").asText());
            }
            if (!has) {
                Map<String, Object> variable = Map.of(
                        "name",
                        ATTEMPT,
                        "valueFrom",
                        Map.of("fieldRef", Map.of("fieldPath", "metadata.annotations['" + Marks.ATTEMPT + "']")));
                String env = "/spec/" + list + "/" + i + "/env";
                patch.add(
                        own.isArray()
                                ? operation("add", env + "/-", variable)
                                : operation("add", env, List.of(variable)));
            }
        }
    }

    /**
     * What tells a running pod that its gang will be stopped at a time; {@code podUid} is tested.
     *
     * @param fence of the writer, where the pod carries the admission itself; empty elsewhere
     */
    public static List<Map<String, Object>> notice(JsonNode pod, String podUid, long stopAt, String fence) {
        List<Map<String, Object>> patch = new ArrayList<>();
        patch.add(operation("test", "/metadata/uid", podUid));
        Map<String, String> stamps =
                new TreeMap<>(Map.of(Marks.STOP_AT, Instant.ofEpochMilli(stopAt).toString()));
        if (!fence.isEmpty()) {
            stamps.put(Marks.FENCE, fence);
        }
        stamp(pod.path("metadata").path("annotations"), stamps, patch);
        return patch;
    }

    private static JsonNode affinity(JsonNode own, List<String> nodes, boolean stored) {
        ObjectNode affinity = own.isObject() ? own.deepCopy() : JSON.createObjectNode();
        ObjectNode required = affinity.withObject("/nodeAffinity/" + REQUIRED);
        JsonNode ownTerms = required.path("nodeSelectorTerms");
        ArrayNode terms = JSON.createArrayNode();
        boolean byLabel = nodes.size() > MOST_NAMED_NODES || (stored && nodes.size() > 1 && !ownTerms.isEmpty());
        if (ownTerms.isEmpty()) {
            narrowed(JSON.createObjectNode(), nodes, byLabel).forEach(terms::add);
        }
        for (JsonNode term : ownTerms) {
            if (term.path("matchExpressions").isEmpty()
                    && term.path("matchFields").isEmpty()) {
                terms.add(term);
            } else {
                narrowed((ObjectNode) term, nodes, byLabel).forEach(terms::add);
            }
        }
        required.set("nodeSelectorTerms", terms);
        return affinity;
    }

    private static List<ObjectNode> narrowed(ObjectNode term, List<String> nodes, boolean byLabel) {
        if (byLabel) {
            ObjectNode narrow = term.deepCopy();
            demand(narrow.withArray("/matchExpressions").addObject(), HOST, nodes);
            return List.of(narrow);
        }
        return nodes.stream()
                .map(node -> {
                    ObjectNode narrow = term.deepCopy();
                    demand(narrow.withArray("/matchFields").addObject(), "metadata.name", List.of(node));
                    return narrow;
                })
                .toList();
    }

    private static void demand(ObjectNode requirement, String key, List<String> values) {
        requirement.put("key", key).put("operator", "In");
        values.forEach(requirement.putArray("values")::add);
    }

    private static void tolerations(JsonNode own, List<Toleration> added, List<Map<String, Object>> patch) {
        ArrayNode all = own.isArray() ? own.deepCopy() : JSON.createArrayNode();
        int before = all.size();
        for (Toleration toleration : added) {
            ObjectNode wire = wire(toleration);
            boolean there = false;
            for (JsonNode one : all) {
                there |= one.equals(wire);
            }
            if (!there) {
                all.add(wire);
            }
        }
        if (all.size() > before) {
            patch.add(operation("add", "/spec/tolerations", all));
        }
    }

    private static ObjectNode wire(Toleration toleration) {
        ObjectNode wire = JSON.createObjectNode();
        if (toleration.key() != null) {
            wire.put("key", toleration.key());
        }
        wire.put("operator", toleration.value() == null ? "Exists" : "Equal");
        if (toleration.value() != null && !toleration.value().isEmpty()) {
            wire.put("value", toleration.value());
        }
        if (toleration.effect() != null) {
            wire.put(
                    "effect",
                    switch (toleration.effect()) {
                        case NO_SCHEDULE -> "NoSchedule";
                        case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
                        case NO_EXECUTE -> "NoExecute";
                    });
        }
        return wire;
    }

    private static void stamp(JsonNode own, Map<String, String> stamps, List<Map<String, Object>> patch) {
        if (!own.isObject()) {
            patch.add(operation("add", "/metadata/annotations", stamps));
            return;
        }
        stamps.forEach((key, value) -> patch.add(operation(
                "add", "/metadata/annotations/" + key.replace("~", "~0").replace("/", "~1"), value)));
    }

    private static void ungate(JsonNode gates, List<Map<String, Object>> patch) {
        ArrayNode others = JSON.createArrayNode();
        gates.forEach(gate -> {
            if (!Marks.GATE.equals(gate.path("name").asText())) {
                others.add(gate);
            }
        });
        if (others.size() < gates.size()) {
            patch.add(
                    others.isEmpty()
                            ? Map.of("op", "remove", "path", "/spec/schedulingGates")
                            : operation("replace", "/spec/schedulingGates", others));
        }
    }

    private static Map<String, Object> operation(String op, String path, Object value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("op", op);
        operation.put("path", path);
        operation.put("value", value);
        return operation;
    }
}

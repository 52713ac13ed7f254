package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The pods of each job, by its UID; and what can be read off one pod. */
final class Pods implements LocalStore.Watcher {
    static final String KIND = "Pod";

    private final LocalStore store;
    private final Map<String, TreeSet<String>> namesByJob = new HashMap<>();

    Pods(LocalStore store) {
        this.store = store;
    }

    /** Pods of the job that are stored, ended ones included, by name. */
    List<ObjectNode> ofJob(String jobUid, String namespace) {
        List<ObjectNode> pods = new ArrayList<>();
        for (String name : namesByJob.getOrDefault(jobUid, new TreeSet<>())) {
            store.get(new LocalStore.Key(KIND, namespace, name)).ifPresent(pods::add);
        }
        return pods;
    }

    @Override
    public void stored(LocalStore.Key key, ObjectNode object) {
        if (key.kind().equals(KIND)) {
            namesByJob.computeIfAbsent(owner(object), uid -> new TreeSet<>()).add(key.name());
        }
    }

    @Override
    public void deleted(LocalStore.Key key, ObjectNode last) {
        TreeSet<String> names = key.kind().equals(KIND) ? namesByJob.get(owner(last)) : null;
        if (names != null && names.remove(key.name()) && names.isEmpty()) {
            namesByJob.remove(owner(last));
        }
    }

    /** UID of the job that owns the pod; empty when none does. */
    static String owner(JsonNode pod) {
        return pod.path("metadata").path("ownerReferences").path(0).path("uid").asText("");
    }

    static String phase(JsonNode pod) {
        return pod.path("status").path("phase").asText("Pending");
    }

    static boolean hasEnded(JsonNode pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    static boolean isStopping(JsonNode pod) {
        return pod.path("metadata").has("deletionTimestamp") && !hasEnded(pod);
    }

    static boolean isActive(JsonNode pod) {
        return !hasEnded(pod) && !isStopping(pod);
    }

    static boolean isBound(JsonNode pod) {
        return pod.path("spec").has("nodeName");
    }

    static boolean isGated(JsonNode pod) {
        return !pod.path("spec").path("schedulingGates").isEmpty();
    }

    static boolean isReady(JsonNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}

package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.Marks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prepares pods that name a queue themselves on clusters whose API server has no mutating policies; the same rule as the
 * policies muster-create-pods and muster-group-leaderworkersets. A second pass changes nothing.
 */
public final class MutatePod {
    private static final String SET = "leaderworkerset.sigs.k8s.io/";
    private static final int LONGEST_LABEL = 63;
    private static final String GATES = "/spec/schedulingGates";

    private MutatePod() {}

    /** Decides about the creation of a pod. */
    public static Verdict on(JsonNode request) {
        Asked asked = new Asked(request);
        JsonNode pod = asked.object();
        if (!asked.creates() || !Asked.isPodGang(pod) || !pod.path("spec").isObject()) {
            return Verdict.ALLOWED;
        }
        List<Map<String, Object>> patch = new ArrayList<>();
        if (!"true".equals(pod.at("/metadata/labels").path(Marks.POD_GANG).asText())) {
            patch.add(add("/metadata/labels/" + Marks.POD_GANG.replace("/", "~1"), "true"));
        }
        JsonNode gates = pod.at(GATES);
        boolean gated = false;
        for (JsonNode gate : gates) {
            gated |= Marks.GATE.equals(gate.path("name").asText());
        }
        if (!gated) {
            Map<String, String> gate = Map.of("name", Marks.GATE);
            patch.add(gates.isArray() ? add(GATES + "/-", gate) : add(GATES, List.of(gate)));
        }
        group(pod, patch);
        return Verdict.changed(patch);
    }

    /** The pods of one group of a LeaderWorkerSet are one group here too. */
    private static void group(JsonNode pod, List<Map<String, Object>> patch) {
        JsonNode labels = pod.at("/metadata/labels");
        String set = labels.path(SET + "name").asText();
        String index = labels.path(SET + "group-index").asText();
        JsonNode annotations = pod.at("/metadata/annotations");
        String size = annotations.path(SET + "size").asText();
        if (labels.has(Marks.POD_GROUP) || set.isEmpty() || index.isEmpty() || size.isEmpty()) {
            return;
        }
        String name = set + "-" + index;
        String group = name.length() <= LONGEST_LABEL
                ? name
                : labels.path(SET + "group-key").asText(name);
        patch.add(add("/metadata/labels/" + Marks.POD_GROUP.replace("/", "~1"), group));
        patch.add(add("/metadata/annotations/" + Marks.POD_GROUP_SIZE.replace("/", "~1"), size));
    }

    private static Map<String, Object> add(String path, Object value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("op", "add");
        operation.put("path", path);
        operation.put("value", value);
        return operation;
    }
}

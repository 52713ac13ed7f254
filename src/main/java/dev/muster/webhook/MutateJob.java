package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.muster.api.Marks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prepares jobs on clusters whose API server has no mutating policies; the same rules as the policies muster-create and
 * muster-keep. A new job that names a queue is suspended and marked, and its pods are born gated; of a stored one whatever
 * is Muster's stays as it is, so that applying a manifest again is harmless. Only constants are written, and a second pass
 * changes nothing.
 */
public final class MutateJob {
    private static final String REPLACEMENT = "/spec/podReplacementPolicy";
    private static final List<String> KEPT_LABELS = List.of(Marks.MANAGED, Marks.STATE);
    private static final List<String> KEPT_ANNOTATIONS =
            List.of(Marks.ADMISSION, Marks.FENCE, Marks.WAITING, Marks.CLAIM, Marks.HISTORY, Marks.STOP_AT);

    private final JsonNode job;
    private final List<Map<String, Object>> patch = new ArrayList<>();

    private MutateJob(JsonNode job) {
        this.job = job;
    }

    /** Decides about a request on jobs. */
    public static Verdict on(JsonNode request) {
        Asked asked = new Asked(request);
        MutateJob mutation = new MutateJob(asked.object());
        if (!asked.object().path("spec").isObject()) {
            return Verdict.ALLOWED;
        }
        if (asked.creates() && Asked.isSubmitted(asked.object())) {
            mutation.prepare();
        } else if (asked.updates()
                && Asked.isManaged(asked.old())
                && !asked.user().equals(Asked.MUSTER)) {
            mutation.keep(asked.old());
        }
        return Verdict.changed(mutation.patch);
    }

    private void prepare() {
        set("/metadata/labels", Marks.MANAGED, text("true"));
        set("/spec", "suspend", JsonNodeFactory.instance.booleanNode(true));
        // a replacement comes only once the old pod has ended: two of them would take GPUs that others were promised
        set("/spec", "podReplacementPolicy", text("Failed"));
        template();
    }

    private void keep(JsonNode old) {
        keep(old, "/metadata/labels", KEPT_LABELS);
        keep(old, "/metadata/annotations", KEPT_ANNOTATIONS);
        set(
                "/spec",
                "suspend",
                JsonNodeFactory.instance.booleanNode(old.at("/spec/suspend").asBoolean()));
        if (!old.at(REPLACEMENT).isMissingNode()) {
            set("/spec", "podReplacementPolicy", old.at(REPLACEMENT));
        }
        template();
    }

    private void keep(JsonNode old, String map, List<String> keys) {
        for (String key : keys) {
            JsonNode value = old.at(map).path(key);
            if (value.isTextual()) {
                set(map, key, value);
            }
        }
    }

    private void template() {
        if (!job.at("/spec/template/spec").isObject()) {
            return; // the API server itself refuses such a job
        }
        set("/spec/template/metadata/labels", Marks.MANAGED, text("true"));
        JsonNode gates = job.at("/spec/template/spec/schedulingGates");
        for (JsonNode gate : gates) {
            if (Marks.GATE.equals(gate.path("name").asText())) {
                return;
            }
        }
        Map<String, String> gate = Map.of("name", Marks.GATE);
        if (gates.isArray()) {
            add("/spec/template/spec/schedulingGates/-", gate);
        } else {
            add("/spec/template/spec/schedulingGates", List.of(gate));
        }
    }

    /** Sets a key of a map of the job to a value that it may have already; makes the map where there is none. */
    private void set(String map, String key, JsonNode value) {
        if (job.at(map).path(key).equals(value)) {
            return;
        }
        int at = 0;
        while ((at = map.indexOf('/', at + 1)) > 0) {
            makeMap(map.substring(0, at));
        }
        makeMap(map);
        add(map + "/" + key.replace("~", "~0").replace("/", "~1"), value);
    }

    private void makeMap(String map) {
        boolean made = patch.stream().anyMatch(operation -> map.equals(operation.get("path")));
        if (!job.at(map).isObject() && !made) {
            add(map, Map.of());
        }
    }

    private void add(String path, Object value) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("op", "add");
        operation.put("path", path);
        operation.put("value", value);
        patch.add(operation);
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }
}

package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.local.rules.AdmissionPolicies;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everybody who is asked before an object is stored, in the order of an API server: those who change it, then those who
 * only judge it. Only objects that carry Muster's labels are asked about, as the webhook's selectors say.
 */
final class Admissions {
    /** Who submits manifests. */
    static final String USER = "local-user";

    private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
    private static final String CREATE = "CREATE";
    private static final String UPDATE = "UPDATE";

    private final Door door;
    private final AdmissionPolicies policies;
    private long requests;

    Admissions(Door door, AdmissionPolicies policies) {
        this.door = door;
        this.policies = policies;
    }

    /**
     * The job as it may be stored.
     *
     * @param before as stored now; null on create
     * @param warnings receives what the submitter is to be told
     */
    ObjectNode job(ObjectNode job, @Nullable ObjectNode before, boolean dryRun, List<String> warnings) throws Refused {
        if (!isOurs(job) && (before == null || !isOurs(before))) {
            return job;
        }
        ObjectNode mutated =
                ask(Door.Question.MUTATE_JOB, "batch", "jobs", JobController.KIND, job, before, dryRun, warnings);
        Optional<String> refusal = policies.refusal(before == null ? CREATE : UPDATE, mutated, before, USER);
        if (refusal.isPresent()) {
            throw new Refused(Refused.Kind.INVALID, refusal.get());
        }
        return ask(Door.Question.VALIDATE_JOB, "batch", "jobs", JobController.KIND, mutated, before, dryRun, warnings);
    }

    /** Judges a queue or a node class. */
    void resource(ObjectNode object, @Nullable ObjectNode before, boolean dryRun, List<String> warnings)
            throws Refused {
        boolean queue = object.path("kind").asText().equals("TeamQueue");
        ask(
                queue ? Door.Question.VALIDATE_QUEUE : Door.Question.VALIDATE_CLASS,
                "muster.dev",
                queue ? "teamqueues" : "gpunodeclasses",
                object.path("kind").asText(),
                object,
                before,
                dryRun,
                warnings);
    }

    /** The pod with its place, when the door gives it one; else as it is, gated. */
    ObjectNode placed(ObjectNode pod) {
        if (!pod.path("metadata").path("labels").has(Marks.MANAGED)) {
            return pod;
        }
        Door.Answer answer =
                door.ask(Door.Question.PLACE_POD, request("", "pods", Pods.KIND, pod, null, false, JOB_CONTROLLER));
        return patched(pod, answer.patch());
    }

    /** The object with a JSON patch applied. */
    static ObjectNode patched(ObjectNode object, List<Map<String, Object>> patch) {
        if (patch.isEmpty()) {
            return object;
        }
        ArrayNode operations = Models.JSON.valueToTree(patch);
        return (ObjectNode) JsonPatch.apply(operations, object);
    }

    private ObjectNode ask(
            Door.Question question,
            String group,
            String resource,
            String kind,
            ObjectNode object,
            @Nullable ObjectNode before,
            boolean dryRun,
            List<String> warnings)
            throws Refused {
        Door.Answer answer = door.ask(question, request(group, resource, kind, object, before, dryRun, USER));
        warnings.addAll(answer.warnings());
        if (!answer.allowed()) {
            throw new Refused(
                    Refused.Kind.FORBIDDEN,
                    "admission webhook \"" + question.webhook() + "\" denied the request: " + answer.message());
        }
        return patched(object, answer.patch());
    }

    private ObjectNode request(
            String group,
            String resource,
            String kind,
            ObjectNode object,
            @Nullable ObjectNode before,
            boolean dryRun,
            String user) {
        JsonNode metadata = object.path("metadata");
        String version = group.equals("muster.dev") ? "v1alpha1" : "v1";
        ObjectNode request = Models.JSON.createObjectNode();
        request.put("uid", "request-" + ++requests);
        request.putObject("kind").put("group", group).put("version", version).put("kind", kind);
        request.putObject("resource")
                .put("group", group)
                .put("version", version)
                .put("resource", resource);
        request.put("operation", before == null ? CREATE : UPDATE);
        request.put("name", metadata.path("name").asText());
        request.put("namespace", metadata.path("namespace").asText(""));
        request.putObject("userInfo").put("username", user).putArray("groups").add("system:authenticated");
        request.put("dryRun", dryRun);
        request.set("object", object.deepCopy());
        request.set("oldObject", before == null ? Models.JSON.nullNode() : before.deepCopy());
        return request;
    }

    private static boolean isOurs(JsonNode job) {
        JsonNode labels = job.path("metadata").path("labels");
        return labels.has(Marks.QUEUE) || labels.has(Marks.MANAGED);
    }
}

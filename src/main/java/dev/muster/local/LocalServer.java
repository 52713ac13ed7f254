package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.files.Manifest;
import dev.muster.local.rules.CustomResourceRules;
import dev.muster.local.rules.JobRules;
import dev.muster.local.rules.LocalRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The API server of the local cluster: takes manifests and patches, judges them in the order of a real one (form, changes
 * by the door, schema, policies and the door's judgement), and stores what is left.
 */
final class LocalServer {
    private static final Set<String> CLUSTER_SCOPED =
            Set.of("Namespace", "Node", "PriorityClass", "TeamQueue", "GpuNodeClass");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final LocalStore store;
    private final LocalRules rules;
    private final Admissions admissions;

    LocalServer(LocalStore store, LocalRules rules, Admissions admissions) {
        this.store = store;
        this.rules = rules;
        this.admissions = admissions;
    }

    /** What became of an object that was applied. */
    enum Change {
        CREATED,
        CONFIGURED,
        UNCHANGED
    }

    /**
     * Applies one manifest, as {@code kubectl apply} and a server would together.
     *
     * @param dryRun whether nothing is stored
     * @param warnings receives what the submitter is to be told
     */
    Change apply(Manifest manifest, boolean dryRun, long now, List<String> warnings) throws Refused {
        ObjectNode written = manifest.tree().deepCopy();
        LocalStore.Key key = key(manifest);
        if (!key.namespace().isEmpty()) {
            written.withObject("/metadata").put("namespace", key.namespace());
            requireNamespace(key.namespace());
        }
        ObjectNode before = store.get(key).orElse(null);
        ObjectNode next = before == null ? written.deepCopy() : merged(before, written);
        next.withObject("/metadata/annotations").put(LAST_APPLIED, written.toString());
        if (before == null) {
            next.withObject("/metadata").put("creationTimestamp", LocalStore.time(now));
        }
        next = judged(next, before, dryRun, warnings);
        boolean same = before != null && bare(before).equals(bare(next));
        if (!dryRun && before == null) {
            store.create(next, now);
        } else if (!dryRun && !same) {
            store.update(next);
        }
        return before == null ? Change.CREATED : same ? Change.UNCHANGED : Change.CONFIGURED;
    }

    /**
     * Applies a merge patch of Muster's own to a job; its {@code metadata.resourceVersion} is the precondition.
     *
     * @return the job as stored now
     */
    ObjectNode patchJob(LocalStore.Key key, ObjectNode patch) throws Refused {
        ObjectNode before = existing(key);
        JsonNode wanted = patch.path("metadata").path("resourceVersion");
        if (wanted.isTextual() && !wanted.equals(before.path("metadata").path("resourceVersion"))) {
            throw new Refused(
                    Refused.Kind.CONFLICT,
                    "Operation cannot be fulfilled on jobs.batch \"" + key.name()
                            + "\": the object has been modified; please apply your changes to the latest version and try again");
        }
        return store.update(MergePatch.merged(before, patch));
    }

    /** Applies a JSON patch of Muster's own to a pod. */
    ObjectNode patchPod(LocalStore.Key key, List<Map<String, Object>> patch) throws Refused {
        return store.update(Admissions.patched(existing(key), patch));
    }

    private ObjectNode existing(LocalStore.Key key) throws Refused {
        Optional<ObjectNode> stored = store.get(key);
        if (stored.isEmpty()) {
            throw new Refused(Refused.Kind.NOT_FOUND, key.kind() + " \"" + key.name() + "\" not found");
        }
        return stored.get();
    }

    private static LocalStore.Key key(Manifest manifest) {
        String namespace = CLUSTER_SCOPED.contains(manifest.kind())
                ? ""
                : manifest.namespace().isEmpty() ? "default" : manifest.namespace();
        return new LocalStore.Key(manifest.kind(), namespace, manifest.name());
    }

    private void requireNamespace(String namespace) throws Refused {
        if (!namespace.equals("default")
                && store.get(new LocalStore.Key("Namespace", "", namespace)).isEmpty()) {
            throw new Refused(Refused.Kind.NOT_FOUND, "namespaces \"" + namespace + "\" not found");
        }
    }

    private static ObjectNode merged(ObjectNode before, ObjectNode written) {
        JsonNode last = before.path("metadata").path("annotations").path(LAST_APPLIED);
        return MergePatch.applied(before, written, last.isTextual() ? Models.object(last.asText()) : null);
    }

    private ObjectNode judged(ObjectNode next, @Nullable ObjectNode before, boolean dryRun, List<String> warnings)
            throws Refused {
        CustomResourceRules resource = rules.resources().get(next.path("kind").asText());
        if (resource != null) {
            resource.applyDefaults(next);
            invalid(next, resource.check(next));
            admissions.resource(next, before, dryRun, warnings);
            return next;
        }
        if (!next.path("kind").asText().equals(JobController.KIND)) {
            return next;
        }
        ObjectNode mutated = admissions.job(next, before, dryRun, warnings);
        invalid(mutated, before == null ? JobRules.check(mutated) : frozen(mutated, before));
        return mutated;
    }

    /** What may not change in a stored job; labels and annotations may, as far as nobody above said no. */
    private static List<String> frozen(ObjectNode next, ObjectNode before) {
        return List.of("template", "completions", "completionMode", "selector").stream()
                .filter(field -> !next.path("spec")
                        .path(field)
                        .equals(before.path("spec").path(field)))
                .map(field -> "spec." + field + ": Invalid value: field is immutable")
                .toList();
    }

    private static void invalid(ObjectNode object, List<String> problems) throws Refused {
        if (!problems.isEmpty()) {
            String kind = object.path("kind").asText();
            String name = object.path("metadata").path("name").asText();
            String all = problems.size() == 1
                    ? problems.get(0)
                    : problems.stream().map(problem -> "\n* " + problem).collect(Collectors.joining());
            throw new Refused(Refused.Kind.INVALID, "The " + kind + " \"" + name + "\" is invalid: " + all);
        }
    }

    /** The object without its version, and the manifest applied last as a tree: the order of its fields is no difference. */
    private static ObjectNode bare(ObjectNode object) {
        ObjectNode bare = object.deepCopy();
        ObjectNode metadata = bare.withObject("/metadata");
        metadata.remove("resourceVersion");
        if (metadata.get("annotations") instanceof ObjectNode annotations
                && annotations.path(LAST_APPLIED).isTextual()) {
            annotations.set(
                    LAST_APPLIED, Models.object(annotations.path(LAST_APPLIED).asText()));
        }
        return bare;
    }

    /** Whether an object of the manifest's name is stored. */
    boolean has(Manifest manifest) {
        return store.get(key(manifest)).isPresent();
    }

    /** Whether the job is one that Muster looks after. */
    static boolean isManaged(JsonNode job) {
        return job.path("metadata").path("labels").path(Marks.MANAGED).asText().equals("true");
    }
}

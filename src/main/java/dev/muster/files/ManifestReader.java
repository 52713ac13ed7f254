package dev.muster.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.TeamQueue;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads manifests of one or more YAML documents strictly: what a field is not known for is a problem, not a silence. */
public final class ManifestReader {
    /** The kinds that Muster reads, by {@code apiVersion/kind}. */
    public static final Map<String, Class<?>> KINDS = Map.of(
            "batch/v1/Job", Job.class,
            "v1/Namespace", Namespace.class,
            "v1/Node", Node.class,
            "v1/LimitRange", LimitRange.class,
            "scheduling.k8s.io/v1/PriorityClass", PriorityClass.class,
            "muster.dev/v1alpha1/TeamQueue", TeamQueue.class,
            "muster.dev/v1alpha1/GpuNodeClass", GpuNodeClass.class);

    private final ObjectMapper json = new ObjectMapper();

    /**
     * Reads one file.
     *
     * @param file its name, for messages
     * @param text its content
     */
    public Reading read(String file, String text) {
        List<Manifest> manifests = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        LinedDocument.all(file, text, problems).forEach(one -> document(file, one, manifests, problems));
        return new Reading(manifests, problems);
    }

    /** Reads many files, in the order of their names. */
    public Reading readAll(Map<String, String> textByFile) {
        List<Manifest> manifests = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        new TreeMap<>(textByFile).forEach((file, text) -> {
            Reading one = read(file, text);
            manifests.addAll(one.manifests());
            problems.addAll(one.problems());
        });
        return new Reading(manifests, problems);
    }

    private void document(String file, LinedDocument document, List<Manifest> manifests, List<Problem> problems) {
        if (document.tree().isNull()) {
            return;
        }
        if (!(document.tree() instanceof ObjectNode tree)) {
            problems.add(new Problem(file, document.line(), "", "no object but " + document.tree(), ""));
            return;
        }
        String apiVersion = text(tree, "apiVersion");
        String kind = text(tree, "kind");
        String name = text(tree.path("metadata"), "name");
        List<Problem> own = new ArrayList<>();
        required(file, document, own, "apiVersion", apiVersion);
        required(file, document, own, "kind", kind);
        required(file, document, own, "metadata.name", name);
        if (own.isEmpty()) {
            fields(file, document, apiVersion, kind, own);
            manifests.add(new Manifest(
                    file,
                    document.line(),
                    apiVersion,
                    kind,
                    text(tree.path("metadata"), "namespace"),
                    name,
                    tree,
                    own));
        }
        problems.addAll(own);
    }

    private void fields(String file, LinedDocument document, String apiVersion, String kind, List<Problem> problems) {
        Class<?> type = KINDS.get(apiVersion + "/" + kind);
        if (type == null) {
            problems.add(new Problem(
                    file,
                    document.lineOf("kind"),
                    "kind",
                    "no kind that is read here: " + apiVersion + " " + kind,
                    Spelling.cure(apiVersion + "/" + kind, KINDS.keySet())));
            return;
        }
        for (FieldCheck.Finding finding : FieldCheck.of(document.tree(), type, json)) {
            problems.add(new Problem(
                    file, document.lineOf(finding.field()), finding.field(), finding.what(), finding.cure()));
        }
    }

    private static void required(
            String file, LinedDocument document, List<Problem> problems, String field, String value) {
        if (value.isEmpty()) {
            problems.add(new Problem(file, document.line(), field, "is missing", ""));
        }
    }

    private static String text(JsonNode parent, String field) {
        return parent.path(field).asText("");
    }
}

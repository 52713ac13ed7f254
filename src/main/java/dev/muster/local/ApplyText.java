package dev.muster.local;

import dev.muster.files.Manifest;
import dev.muster.files.Problem;
import dev.muster.kinds.Kinds;
import dev.muster.kinds.ShippedKinds;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What {@code kubectl apply} prints. */
final class ApplyText {
    private static final Kinds MANAGED_ELSEWHERE = ShippedKinds.all();
    private static final Set<String> PODS_MADE_BY =
            Set.of("Pod", "Deployment", "StatefulSet", "ReplicaSet", "Notebook");

    private ApplyText() {}

    /** {@code job.batch/train created}. */
    static String done(Manifest manifest, LocalServer.Change change, boolean dryRun) {
        String group = manifest.group().isEmpty() ? "" : "." + manifest.group();
        return manifest.kind().toLowerCase(Locale.ROOT) + group + "/" + manifest.name() + " "
                + change.name().toLowerCase(Locale.ROOT) + (dryRun ? " (server dry run)" : "");
    }

    /**
     * {@code Error from server (...): ...}; what the server calls invalid stands for itself. Of a refused patch kubectl
     * shows the whole patch too; here only why it was refused.
     *
     * @param patched whether an object of this name is stored, so that kubectl sends a patch
     */
    static String refused(Manifest manifest, Refused refusal, boolean patched) {
        if (!manifest.isKnownKind()) {
            return refusal.text();
        }
        if (refusal.kind() == Refused.Kind.INVALID) {
            return refusal.text().startsWith("The ")
                    ? refusal.text()
                    : "The " + manifest.kind().toLowerCase(Locale.ROOT) + "s \"" + manifest.name() + "\" is invalid: : "
                            + refusal.text();
        }
        if (patched && refusal.kind() == Refused.Kind.BAD_REQUEST) {
            return "The request is invalid: patch: " + refusal.text();
        }
        return "Error from server (" + refusal.kind().reason() + "): error when " + (patched ? "patching" : "creating")
                + " \"" + manifest.file() + "\": " + refusal.text();
    }

    /** Refuses a manifest whose form is wrong, as a server with strict field validation does. */
    static void requireKnownFields(Manifest manifest) throws Refused {
        if (!manifest.isKnownKind()) {
            throw new Refused(
                    Refused.Kind.NOT_FOUND,
                    "error: resource mapping not found for name: \"" + manifest.name() + "\" namespace: \""
                            + manifest.namespace() + "\" from \"" + manifest.file() + "\": no matches for kind \""
                            + manifest.kind() + "\" in version \"" + manifest.apiVersion() + "\"" + cure(manifest));
        }
        List<String> strict =
                manifest.problems().stream().map(ApplyText::strict).toList();
        if (!strict.isEmpty()) {
            throw new Refused(
                    Refused.Kind.BAD_REQUEST,
                    manifest.kind() + " in version \"" + manifest.version() + "\" cannot be handled as a "
                            + manifest.kind() + ": strict decoding error: " + String.join(", ", strict));
        }
    }

    private static String cure(Manifest manifest) {
        if (PODS_MADE_BY.contains(manifest.kind())) {
            return ". Muster manages pods that name a queue on a real cluster; local mode runs batch Jobs."
                    + " Maybe write a batch/v1 Job";
        }
        if (MANAGED_ELSEWHERE.named(manifest.apiVersion(), manifest.kind()).isPresent()) {
            return ". Muster manages this kind on a real cluster; local mode runs batch Jobs. Maybe write a batch/v1 Job";
        }
        return manifest.problems().stream()
                .map(Problem::cure)
                .filter(cure -> !cure.isEmpty())
                .findFirst()
                .map(cure -> ". " + cure)
                .orElse("");
    }

    private static String strict(Problem problem) {
        String cure = problem.cure().isEmpty() ? "" : " (line " + problem.line() + ". " + problem.cure() + ")";
        return problem.what().equals("unknown field")
                ? "unknown field \"" + problem.field() + "\"" + cure
                : problem.field() + " " + problem.what() + cure;
    }
}

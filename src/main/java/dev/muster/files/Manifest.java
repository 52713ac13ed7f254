package dev.muster.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * One object of a manifest, as written.
 *
 * @param file name of the file it stands in
 * @param line of its first field, counted from 1
 * @param namespace empty when none is written
 * @param tree the object, unknown fields included
 * @param problems what is wrong with it
 */
public record Manifest(
        String file,
        int line,
        String apiVersion,
        String kind,
        String namespace,
        String name,
        ObjectNode tree,
        List<Problem> problems) {
    public Manifest {
        problems = List.copyOf(problems);
    }

    /** Whether it is of a kind that is read here. */
    public boolean isKnownKind() {
        return ManifestReader.KINDS.containsKey(apiVersion + "/" + kind);
    }

    /** Group and version as in {@code apiVersion}, the version alone. */
    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /** The API group; empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}

package dev.muster.local;

import java.util.List;

/**
 * The answer to manifests that were applied: line by line what {@code kubectl apply} would print.
 *
 * @param refused whether at least one object was refused
 */
public record Applied(List<String> lines, boolean refused) {
    public Applied {
        lines = List.copyOf(lines);
    }

    /** All lines as one text. */
    public String text() {
        return String.join("\n", lines) + "\n";
    }
}

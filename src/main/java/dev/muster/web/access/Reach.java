package dev.muster.web.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces whose gangs a visitor sees.
 *
 * @param namespaces by name; null means all
 */
public record Reach(@Nullable Set<String> namespaces) {
    /** All namespaces. */
    public static final Reach ALL = new Reach(null);

    public Reach {
        namespaces = namespaces == null ? null : Set.copyOf(namespaces);
    }
}

package dev.muster.web.access;

import org.jspecify.annotations.Nullable;

/** Who may use REST. */
@FunctionalInterface
public interface Access {
    /** Everybody, and nobody is asked who they are: for a cluster in memory. */
    Access OPEN = authorization -> Visitor.ANYBODY;

    /**
     * Who comes with this header Authorization; null when there was none.
     *
     * @throws Denial when it is no token of the cluster, or the API server does not say
     */
    Visitor visitor(@Nullable String authorization);
}

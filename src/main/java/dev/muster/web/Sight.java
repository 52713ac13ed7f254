package dev.muster.web;

import dev.muster.engine.Views;
import dev.muster.web.access.Reach;
import dev.muster.web.access.Visitor;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request may be answered about. */
record Sight(Visitor visitor) {
    /** Of the request that this context belongs to. */
    static Sight of(SecurityContext context) {
        return new Sight(AccessFilter.visitor(context));
    }

    /** Refuses with 403 when the gangs of this namespace may not be shown, whether there are any or not. */
    void check(String namespace) {
        if (!visitor.sees(namespace)) {
            throw ProblemJson.forbidden("You (" + visitor.getName() + ") may not get jobs in namespace '" + namespace
                    + "'. Maybe ask for a RoleBinding to the ClusterRole view there.");
        }
    }

    /** What may be shown of one namespace, or of all when it is null or empty. */
    Reach reach(Views views, @Nullable String namespace) {
        if (namespace == null || namespace.isEmpty()) {
            return visitor.reach(views::namespaces);
        }
        check(namespace);
        return new Reach(Set.of(namespace));
    }
}

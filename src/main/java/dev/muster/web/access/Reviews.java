package dev.muster.web.access;

import java.util.Optional;

/** What only the API server can say: whose a token is, and what its owner may do. Each call is one request. */
public interface Reviews {
    /**
     * Whose the token is; empty when it is nobody's, or no longer good.
     *
     * @throws Unanswered if the API server does not say
     */
    Optional<Caller> whose(String token);

    /**
     * Whether the caller may get jobs of the group batch in the namespace, or in all namespaces when it is empty.
     *
     * @throws Unanswered if the API server does not say
     */
    boolean mayGetJobs(Caller caller, String namespace);

    /** The API server did not say. The message has no part of a token. */
    final class Unanswered extends IllegalStateException {
        private static final long serialVersionUID = 1;

        public Unanswered(String message) {
            super(message);
        }
    }
}

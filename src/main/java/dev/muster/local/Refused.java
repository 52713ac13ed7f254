package dev.muster.local;

/** A write that the cluster does not take. The message is the one that its API server would give. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    enum Kind {
        /** The body cannot be read as the kind that it claims to be. */
        BAD_REQUEST("BadRequest"),
        /** A webhook said no. */
        FORBIDDEN("Forbidden"),
        /** The namespace, or the kind, does not exist. */
        NOT_FOUND("NotFound"),
        /** The schema, a rule or a policy says no. */
        INVALID("Invalid"),
        /** The precondition does not hold. */
        CONFLICT("Conflict");

        private final String reason;

        Kind(String reason) {
            this.reason = reason;
        }

        /** The reason as Kubernetes names it. */
        String reason() {
            return reason;
        }
    }

    private final Kind kind;

    Refused(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** The message, never absent. */
    String text() {
        return String.valueOf(getMessage());
    }
}

package dev.muster.web.access;

/** Why a request is not answered. The message is for the one who asked: what, and a likely cure. */
public final class Denial extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** Of what kind a denial is. */
    public enum Kind {
        /** Nobody knows who asks. */
        UNKNOWN_CALLER,
        /** It is known who asks, and they may not. */
        NOT_ALLOWED,
        /** It cannot be found out just now. */
        NO_ANSWER
    }

    public Denial(Kind kind, String message) {
        super(message, null, false, false); // the caller's fault: no stack of ours says anything about it
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}

package dev.muster.kube;

import dev.muster.engine.Event.Refusal;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/** A write that was not confirmed, with what that means for the object. */
final class WriteFailed extends Exception {
    private static final long serialVersionUID = 1L;
    /** What the fence policy's message contains. */
    private static final String REPLACED = "has been replaced";

    private final Refusal refusal;

    WriteFailed(Refusal refusal, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.refusal = refusal;
    }

    /** What the client's exception means. */
    static WriteFailed of(KubernetesClientException e) {
        String message = e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
        return new WriteFailed(refusal(e.getCode(), message), message, e);
    }

    /** What an HTTP status and its message mean; -1 is no answer at all. */
    static Refusal refusal(int code, String message) {
        return switch (code) {
            case 409 -> Refusal.STALE;
            case 404, 410 -> Refusal.GONE;
            case 403 -> message.contains(REPLACED) ? Refusal.REPLACED : Refusal.REFUSED;
            case 400, 401, 405, 413, 415, 422 -> Refusal.REFUSED;
            default -> Refusal.UNKNOWN;
        };
    }

    Refusal refusal() {
        return refusal;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

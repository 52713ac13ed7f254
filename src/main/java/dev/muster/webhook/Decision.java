package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;

/** From an admission request (the object {@code request} of an AdmissionReview) to a verdict; quick, and without I/O. */
@FunctionalInterface
public interface Decision {
    /** Decides. Never throws on odd input. */
    Verdict on(JsonNode request);
}

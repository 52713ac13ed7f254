package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Who is asked before an object is stored: the decisions that a cluster asks for over HTTP. Quick, and without I/O. */
@FunctionalInterface
public interface Door {
    /**
     * Asks one question.
     *
     * @param request the object {@code request} of an AdmissionReview
     */
    Answer ask(Question question, JsonNode request);

    /** What is asked. */
    enum Question {
        MUTATE_JOB("mutate.jobs.muster.dev"),
        VALIDATE_JOB("validate.jobs.muster.dev"),
        VALIDATE_QUEUE("validate.queues.muster.dev"),
        VALIDATE_CLASS("validate.classes.muster.dev"),
        PLACE_POD("place.pods.muster.dev");

        private final String webhook;

        Question(String webhook) {
            this.webhook = webhook;
        }

        /** Name of the webhook that asks it in a cluster. */
        public String webhook() {
            return webhook;
        }
    }

    /**
     * What is answered.
     *
     * @param message why it is refused; empty when it is allowed
     * @param patch JSON patch (RFC 6902) of the object
     */
    record Answer(boolean allowed, String message, List<String> warnings, List<Map<String, Object>> patch) {
        /** Nothing against it, nothing to change. */
        public static final Answer ALLOWED = new Answer(true, "", List.of(), List.of());

        public Answer {
            warnings = List.copyOf(warnings);
            patch = List.copyOf(patch);
        }
    }
}

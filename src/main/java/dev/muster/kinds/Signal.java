package dev.muster.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** How a job's own status says one thing about it. */
public sealed interface Signal {
    /** What it says now. */
    Answer in(JsonNode job);

    /** By a condition's status. */
    record Condition(String type) implements Signal {
        @Override
        public Answer in(JsonNode job) {
            for (JsonNode condition : job.path("status").path("conditions")) {
                if (type.equals(condition.path("type").asText())) {
                    return "True".equals(condition.path("status").asText()) ? Answer.YES : Answer.NO;
                }
            }
            return Answer.UNKNOWN;
        }
    }

    /** By a field that has one of these values; one that is missing or empty says nothing. */
    record Field(FieldPath path, List<String> values) implements Signal {
        public Field {
            values = List.copyOf(values);
        }

        @Override
        public Answer in(JsonNode job) {
            String value = path.in(job).asText("");
            return value.isEmpty() ? Answer.UNKNOWN : values.contains(value) ? Answer.YES : Answer.NO;
        }
    }

    /** What is said. */
    enum Answer {
        YES,
        NO,
        UNKNOWN
    }
}

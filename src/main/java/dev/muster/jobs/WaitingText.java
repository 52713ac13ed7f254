package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.Reason;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a gang waits or stops, and since when, as the text of its annotation. It is for people and for the rate at which
 * they are told; no decision rests on it, so a text that cannot be understood, or a reason that this version does not
 * know, is as good as none.
 */
final class WaitingText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WaitingText() {}

    /** The text; {@code since} in milliseconds since the epoch. */
    static String write(Reason reason, long since, String sentence) {
        ObjectNode text = JSON.createObjectNode()
                .put("version", 1)
                .put("reason", reason.wireName())
                .put("since", Instant.ofEpochMilli(since).toString())
                .put("sentence", sentence);
        return text.toString();
    }

    /** What the text says; empty when it cannot be understood. */
    static Optional<Told> read(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            long since = Instant.parse(root.path("since").asText()).toEpochMilli();
            return Reason.named(root.path("reason").asText()).map(reason -> new Told(reason, since));
        } catch (JsonProcessingException | DateTimeException | ArithmeticException notOurs) {
            return Optional.empty();
        }
    }
}

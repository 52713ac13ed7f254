package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.PastRuns;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a gang has behind it, as the text of its annotation. Fields that this version does not know are passed over; of an
 * earlier version's record only the number of attempts is known.
 */
final class HistoryText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HistoryText() {}

    static String write(PastRuns past) {
        ObjectNode text = JSON.createObjectNode()
                .put("version", 1)
                .put("evictions", past.attempts())
                .put("ranMillis", past.ran());
        putIfAny(text, "excusedMillis", past.excused());
        putIfAny(text, "failures", past.failures());
        putIfAny(text, "mishaps", past.mishaps());
        past.last()
                .forEach(attempt ->
                        AttemptText.write(attempt, text.withArray("/attempts").addObject()));
        past.evictions()
                .forEach(at -> text.withArray("/evictedAt")
                        .add(Instant.ofEpochMilli(at).toString()));
        return text.toString();
    }

    /**
     * What the text tells.
     *
     * @throws IllegalArgumentException if the text is no history
     */
    static PastRuns read(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the history is no JSON. Maybe it was written by hand", e);
        }
        JsonNode attempts = root == null ? null : root.path("evictions");
        if (attempts == null || !attempts.canConvertToInt() || attempts.asInt() < 0) {
            throw new IllegalArgumentException("the history has no whole number of evictions from 0 on");
        }
        long ran = root.path("ranMillis").asLong(0);
        if (ran < 0) {
            throw new IllegalArgumentException("the history's ranMillis is " + ran + ", and less than nothing");
        }
        List<Attempt> last = new ArrayList<>();
        root.path("attempts").forEach(attempt -> last.add(AttemptText.read(attempt)));
        return new PastRuns(
                attempts.asInt(),
                times(root.path("evictedAt")),
                ran,
                Math.max(0, root.path("excusedMillis").asLong(0)),
                Math.max(0, root.path("failures").asInt(0)),
                Math.max(0, root.path("mishaps").asInt(0)),
                last);
    }

    private static void putIfAny(ObjectNode text, String field, long number) {
        if (number != 0) {
            text.put(field, number);
        }
    }

    private static List<Long> times(JsonNode list) {
        List<Long> times = new ArrayList<>();
        for (JsonNode time : list) {
            try {
                times.add(Instant.parse(time.asText()).toEpochMilli());
            } catch (DateTimeException | ArithmeticException e) {
                throw new IllegalArgumentException("the history's evictedAt names " + time + ", which is no time", e);
            }
        }
        return times.subList(Math.max(0, times.size() - PastRuns.MOST), times.size());
    }
}

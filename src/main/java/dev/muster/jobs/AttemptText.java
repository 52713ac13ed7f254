package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.Attempt.Loss;
import dev.muster.core.model.PodReport;
import dev.muster.core.model.PodReport.Fault;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One attempt of a history, as JSON. It is bounded: {@link dev.muster.core.model.PastRuns} keeps few attempts, an attempt few losses, and texts are
 * cut, so that a history stays below 16 KiB. What cannot be read counts as absent: it is evidence for people.
 */
final class AttemptText {
    private static final int LONGEST_NAME = 63;

    private AttemptText() {}

    static void write(Attempt attempt, ObjectNode text) {
        text.put("attempt", attempt.number()).put("from", time(attempt.from()));
        if (attempt.until() != 0) {
            text.put("until", time(attempt.until()));
        }
        text.put("why", attempt.why()).put("fault", attempt.fault().wireName()).put("ran", attempt.ran());
        for (Loss loss : attempt.losses()) {
            ObjectNode member = text.withArray("/failed").addObject().put("pod", cut(loss.pod(), LONGEST_NAME));
            put(member, "node", cut(loss.node(), LONGEST_NAME));
            if (loss.exitCode() != 0) {
                member.put("exitCode", loss.exitCode());
            }
            put(member, "reason", cut(loss.reason(), LONGEST_NAME));
            put(member, "message", cut(loss.message(), PodReport.LONGEST));
        }
    }

    static Attempt read(JsonNode text) {
        List<Loss> losses = new ArrayList<>();
        for (JsonNode member : text.path("failed")) {
            losses.add(new Loss(
                    member.path("pod").asText(),
                    member.path("node").asText(),
                    member.path("exitCode").asInt(0),
                    member.path("reason").asText(),
                    member.path("message").asText()));
        }
        return new Attempt(
                text.path("attempt").asInt(0),
                millis(text.path("from").asText()),
                millis(text.path("until").asText()),
                text.path("why").asText(),
                fault(text.path("fault").asText()),
                text.path("ran").asBoolean(false),
                losses);
    }

    private static Fault fault(String name) {
        for (Fault fault : Fault.values()) {
            if (fault.wireName().equals(name)) {
                return fault;
            }
        }
        return Fault.NOBODY;
    }

    private static void put(ObjectNode member, String field, String value) {
        if (!value.isEmpty()) {
            member.put(field, value);
        }
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest);
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static long millis(String time) {
        try {
            return time.isEmpty() ? 0 : Instant.parse(time).toEpochMilli();
        } catch (DateTimeException | ArithmeticException unreadable) {
            return 0; // written by hand; the counts beside it decide, not this
        }
    }
}

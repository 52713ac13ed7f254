package dev.muster.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.PastRuns;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One time that a gang was admitted and gave its place back.
 *
 * @param until when it had given its place back; null while it is still leaving
 * @param why stable name of the reason for which it was stopped; empty when Muster did not stop it
 * @param failed members that had failed, the first four at most
 */
@Schema(name = "Attempt", description = "An admission that the gang has behind it; the last eight are kept.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptJson(
        int attempt,
        Instant from,
        @Nullable Instant until,

        @Schema(examples = "StartFailed") String why,

        @Schema(description = "Whose fault it was: none, cluster or job.", examples = "job")
        String fault,

        @Schema(description = "Whether all of its members were ready once.")
        boolean ran,

        List<FailedJson> failed) {

    /** A member that had failed, and what was known of it. */
    @Schema(name = "FailedMember")
    public record FailedJson(String pod, String node, int exitCode, String reason, String message) {}

    static List<AttemptJson> of(PastRuns past) {
        return past.last().stream().map(AttemptJson::of).toList();
    }

    private static AttemptJson of(Attempt attempt) {
        return new AttemptJson(
                attempt.number(),
                Instant.ofEpochMilli(attempt.from()),
                attempt.until() == 0 ? null : Instant.ofEpochMilli(attempt.until()),
                attempt.why(),
                attempt.fault().wireName(),
                attempt.ran(),
                attempt.losses().stream()
                        .map(loss ->
                                new FailedJson(loss.pod(), loss.node(), loss.exitCode(), loss.reason(), loss.message()))
                        .toList());
    }
}

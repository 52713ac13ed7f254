package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * Gives a new job that names a queue a default podFailurePolicy: a member that was disrupted (its node drained or lost, its
 * pod preempted or evicted) does not use up the job's backoffLimit. Only at create, since the field never changes later,
 * only where the job has none of its own, and only with restartPolicy Never, which the API server demands beside it.
 */
public final class DefaultJob {
    private static final String POLICY = "/spec/podFailurePolicy";
    private static final Map<String, Object> IGNORE_DISRUPTIONS = Map.of(
            "rules",
            List.of(Map.of(
                    "action",
                    "Ignore",
                    "onPodConditions",
                    List.of(Map.of("type", "DisruptionTarget", "status", "True")))));

    private DefaultJob() {}

    /** Decides about a request on jobs. */
    public static Verdict on(JsonNode request) {
        Asked asked = new Asked(request);
        JsonNode job = asked.object();
        boolean lacksOne = job.at(POLICY).isMissingNode() || job.at(POLICY).isNull();
        boolean mayHaveOne =
                job.at("/spec/template/spec/restartPolicy").asText().equals("Never");
        boolean opted = asked.creates() && Asked.isSubmitted(job);
        return opted && lacksOne && mayHaveOne
                ? Verdict.changed(List.of(Map.of("op", "add", "path", POLICY, "value", IGNORE_DISRUPTIONS)))
                : Verdict.ALLOWED;
    }
}

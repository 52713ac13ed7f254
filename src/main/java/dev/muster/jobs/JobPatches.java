package dev.muster.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Waiting;
import java.time.Instant;

/**
 * The merge patches that Muster writes on jobs. Each is one write: it carries the resourceVersion as precondition and the
 * writer's fence, and touches {@code spec.suspend} and Muster's own labels and annotations only.
 */
public final class JobPatches {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JobPatches() {}

    /** Starts the gang. */
    public static String admit(String resourceVersion, String fence, Admission admission) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.ADMITTED);
        patch.withObject("/metadata/annotations")
                .put(Marks.ADMISSION, AdmissionText.write(admission))
                .putNull(Marks.CLAIM)
                .putNull(Marks.WAITING);
        patch.putObject("spec").put("suspend", false);
        return patch.toString();
    }

    /** Stops the gang; its admission stays, for the charge is read from it. */
    public static String stop(String resourceVersion, String fence, Waiting why, long since) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.STOPPING);
        patch.withObject("/metadata/annotations").put(Marks.WAITING, waitingText(why, since));
        patch.putObject("spec").put("suspend", true);
        return patch.toString();
    }

    /**
     * Ends the charge of a stopped gang: it waits again.
     *
     * @param evictions how often it was stopped so far
     */
    public static String release(String resourceVersion, String fence, int evictions) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.WAITING);
        patch.withObject("/metadata/annotations")
                .put(Marks.HISTORY, HistoryText.write(evictions))
                .putNull(Marks.STOP_AT)
                .putNull(Marks.ADMISSION);
        return patch.toString();
    }

    /** Keeps a place for a waiting gang. */
    public static String claim(String resourceVersion, String fence, Claim claim) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.WAITING);
        patch.withObject("/metadata/annotations").put(Marks.CLAIM, ClaimText.write(claim));
        return patch.toString();
    }

    /** Ends a claim without a start. */
    public static String dropClaim(String resourceVersion, String fence) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.WAITING);
        patch.withObject("/metadata/annotations").putNull(Marks.CLAIM);
        return patch.toString();
    }

    /** Tells a gang that it will be stopped at a time (milliseconds since the epoch). */
    public static String notice(String resourceVersion, String fence, long stopAt, Waiting why, long since) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.STOPPING);
        patch.withObject("/metadata/annotations")
                .put(Marks.STOP_AT, Instant.ofEpochMilli(stopAt).toString())
                .put(Marks.WAITING, waitingText(why, since));
        return patch.toString();
    }

    /** Changes the state label alone. */
    public static String mark(String resourceVersion, String fence, GangState state) {
        return patch(resourceVersion, fence, state).toString();
    }

    private static String waitingText(Waiting why, long since) {
        return JSON.createObjectNode()
                .put("version", 1)
                .put("reason", why.reason().wireName())
                .put("since", Instant.ofEpochMilli(since).toString())
                .put("sentence", why.sentence())
                .put("help", why.help())
                .toString();
    }

    private static ObjectNode patch(String resourceVersion, String fence, GangState state) {
        ObjectNode patch = JSON.createObjectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("resourceVersion", resourceVersion);
        metadata.putObject("labels").put(Marks.STATE, state.label());
        metadata.putObject("annotations").put(Marks.FENCE, fence);
        return patch;
    }
}

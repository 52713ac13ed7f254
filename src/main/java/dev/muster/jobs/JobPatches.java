package dev.muster.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangState;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The merge patches that Muster writes on jobs. Each is one write: it carries the resourceVersion as precondition and the
 * writer's fence, and touches {@code spec.suspend} and Muster's own labels and annotations only.
 */
public final class JobPatches {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JobPatches() {}

    /** The change as a patch; {@code now} in milliseconds since the epoch. */
    public static String of(JobChange change, String resourceVersion, String fence, long now) {
        if (change instanceof JobChange.Admit admit) {
            return admit(resourceVersion, fence, admit.admission());
        }
        if (change instanceof JobChange.Repair repair) {
            return repair(resourceVersion, fence, repair.admission());
        }
        if (change instanceof JobChange.MakeClaim make) {
            return claim(resourceVersion, fence, make.claim());
        }
        if (change instanceof JobChange.DropClaim) {
            return dropClaim(resourceVersion, fence);
        }
        if (change instanceof JobChange.Notice notice) {
            return notice(resourceVersion, fence, notice, now);
        }
        if (change instanceof JobChange.Stop stop) {
            return stop(resourceVersion, fence, stop, now);
        }
        if (change instanceof JobChange.Release release) {
            return release(resourceVersion, fence, release.past());
        }
        if (change instanceof JobChange.Finish finish) {
            return finish(resourceVersion, fence, finish.past());
        }
        if (change instanceof JobChange.Explain explain) {
            return waiting(resourceVersion, fence, explain.reason(), explain.since(), explain.sentence());
        }
        return mark(resourceVersion, fence, ((JobChange.Mark) change).state());
    }

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

    private static String repair(String resourceVersion, String fence, Admission admission) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.RUNNING);
        patch.withObject("/metadata/annotations").put(Marks.ADMISSION, AdmissionText.write(admission));
        return patch.toString();
    }

    private static String stop(String resourceVersion, String fence, JobChange.Stop stop, long now) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.STOPPING);
        ObjectNode annotations = patch.withObject("/metadata/annotations");
        annotations.put(Marks.WAITING, WaitingText.write(stop.reason(), now, stop.sentence()));
        moves(annotations, stop.moves());
        if (stop.past() != null) {
            annotations.put(Marks.HISTORY, HistoryText.write(stop.past()));
        }
        patch.putObject("spec").put("suspend", true);
        return patch.toString();
    }

    /**
     * Ends the charge of a stopped gang: it waits again.
     *
     * @param past what it has behind it now
     */
    public static String release(String resourceVersion, String fence, PastRuns past) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.WAITING);
        patch.withObject("/metadata/annotations")
                .put(Marks.HISTORY, HistoryText.write(past))
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

    private static String notice(String resourceVersion, String fence, JobChange.Notice notice, long now) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.STOPPING);
        ObjectNode annotations = patch.withObject("/metadata/annotations");
        annotations
                .put(Marks.STOP_AT, Instant.ofEpochMilli(notice.stopAt()).toString())
                .put(Marks.WAITING, WaitingText.write(notice.reason(), now, notice.sentence()));
        moves(annotations, notice.moves());
        return patch.toString();
    }

    private static void moves(ObjectNode annotations, @Nullable Claim moves) {
        if (moves != null) {
            annotations.put(Marks.CLAIM, ClaimText.write(moves));
        }
    }

    /** Tells a waiting gang why it waits, and since when (milliseconds since the epoch). */
    public static String waiting(String resourceVersion, String fence, Reason reason, long since, String sentence) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.WAITING);
        patch.withObject("/metadata/annotations").put(Marks.WAITING, WaitingText.write(reason, since, sentence));
        return patch.toString();
    }

    private static String finish(String resourceVersion, String fence, PastRuns past) {
        ObjectNode patch = patch(resourceVersion, fence, GangState.FINISHED);
        patch.withObject("/metadata/annotations").put(Marks.HISTORY, HistoryText.write(past));
        return patch.toString();
    }

    /** Changes the state label alone. */
    public static String mark(String resourceVersion, String fence, GangState state) {
        return patch(resourceVersion, fence, state).toString();
    }

    /** A patch of a batch Job, for a kind whose switch stands elsewhere; {@code suspend} is a JSON pointer. */
    static String moved(String patch, String suspend) {
        try {
            ObjectNode moved = (ObjectNode) JSON.readTree(patch);
            JsonNode value = moved.at("/spec/suspend");
            if (!value.isMissingNode()) {
                moved.remove("spec");
                int last = suspend.lastIndexOf('/');
                moved.withObject(suspend.substring(0, last)).set(suspend.substring(last + 1), value);
            }
            return moved.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a patch of our own is no JSON", e);
        }
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

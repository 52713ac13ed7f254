package dev.muster.core.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a job stands, as its stored object says.
 *
 * @param resourceVersion of the object; opaque
 * @param suspended whether it asks for no pods now ({@code spec.suspend})
 * @param resumed what the job's controller has acknowledged: {@code Suspended=False} is YES, {@code Suspended=True} NO
 * @param active pods that its controller counts as not ended and not stopping
 * @param terminating pods that its controller counts as still stopping
 * @param remaining per podset, how many members can still run; absent means all of them
 * @param end whether and how it has ended
 * @param state the state label as written last; null when none was written
 * @param admission the admission it carries; null when none
 * @param fence the fence of the last writer; empty when none
 * @param marks what else was noted on it
 */
public record GangStatus(
        String resourceVersion,
        boolean suspended,
        Acknowledged resumed,
        int active,
        int terminating,
        Map<String, Integer> remaining,
        End end,
        @Nullable GangState state,
        @Nullable Admission admission,
        String fence,
        GangMarks marks) {
    public GangStatus {
        remaining = Map.copyOf(remaining);
    }

    /** What the job's controller said of the last change of suspend. */
    public enum Acknowledged {
        UNKNOWN,
        NO,
        YES
    }

    /** Whether and how a job has ended. */
    public enum End {
        NOT_YET,
        SUCCEEDED,
        FAILED,
        /** Its deletion has begun: it makes no more pods, whatever else it says. */
        LEAVING
    }
}

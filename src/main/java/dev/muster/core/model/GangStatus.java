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
    /** Of a job that is not stored yet. */
    public static final GangStatus NOT_STORED =
            new GangStatus("", true, Acknowledged.UNKNOWN, 0, 0, Map.of(), End.NOT_YET, null, null, "", GangMarks.NONE);

    public GangStatus {
        remaining = Map.copyOf(remaining);
    }

    /**
     * The status once a change was stored.
     *
     * @param version the resourceVersion that the change made
     * @param writer the fence of who made it
     */
    public GangStatus after(JobChange change, String version, String writer) {
        if (change instanceof JobChange.Admit admit) {
            return changed(version, writer, false, GangState.ADMITTED, admit.admission(), marks.freed(null));
        }
        if (change instanceof JobChange.Repair repair) {
            return changed(version, writer, suspended, GangState.RUNNING, repair.admission(), marks);
        }
        if (change instanceof JobChange.MakeClaim make) {
            return changed(version, writer, suspended, GangState.WAITING, null, marks.claiming(make.claim()));
        }
        if (change instanceof JobChange.DropClaim) {
            return changed(version, writer, suspended, GangState.WAITING, null, marks.claiming(null));
        }
        if (change instanceof JobChange.Notice notice) {
            GangMarks told =
                    marks.moving(notice.moves()).stopping(notice.stopAt()).telling(notice.reason());
            return changed(version, writer, suspended, GangState.STOPPING, admission, told);
        }
        if (change instanceof JobChange.Stop stop) {
            GangMarks told = marks.moving(stop.moves()).telling(stop.reason());
            told = stop.past() == null ? told : told.having(stop.past());
            return changed(version, writer, true, GangState.STOPPING, admission, told);
        }
        if (change instanceof JobChange.Release release) {
            GangMarks freed = marks.freed(marks.told()).moving(marks.claim()).having(release.past());
            return changed(version, writer, suspended, GangState.WAITING, null, freed);
        }
        if (change instanceof JobChange.Finish finish) {
            return changed(version, writer, suspended, GangState.FINISHED, admission, marks.having(finish.past()));
        }
        if (change instanceof JobChange.Explain explain) {
            GangMarks told = marks.telling(new GangMarks.Told(explain.reason(), explain.since()));
            return changed(version, writer, suspended, GangState.WAITING, admission, told);
        }
        return changed(version, writer, suspended, ((JobChange.Mark) change).state(), admission, marks);
    }

    /** The status once the job's controller has reported. */
    public GangStatus reported(String version, Acknowledged nowResumed, int nowActive, int nowTerminating, End nowEnd) {
        return new GangStatus(
                version,
                suspended,
                nowResumed,
                nowActive,
                nowTerminating,
                remaining,
                nowEnd,
                state,
                admission,
                fence,
                marks);
    }

    /** The status once somebody has changed the marks on the job. */
    public GangStatus marked(String version, GangMarks other) {
        return changed(version, fence, suspended, state, admission, other);
    }

    /** The status once other numbers of members can still run. */
    public GangStatus remaining(Map<String, Integer> other) {
        return new GangStatus(
                resourceVersion, suspended, resumed, active, terminating, other, end, state, admission, fence, marks);
    }

    private GangStatus changed(
            String version,
            String writer,
            boolean stopped,
            @Nullable GangState to,
            @Nullable Admission with,
            GangMarks noted) {
        return new GangStatus(version, stopped, resumed, active, terminating, remaining, end, to, with, writer, noted);
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

package dev.muster.engine;

import dev.muster.core.model.Attempt;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a gang whose attempts have failed may be tried again. All of it follows from what is stored on the job, so a restart
 * changes nothing.
 *
 * <p>After a failure of its own it rests, doubling each time, and after a bounded number in a row it is held until somebody
 * raises the number. The cluster's failures are not counted for that: the first is tried again at once, further ones in a row
 * after a rest that doubles, too.
 */
final class Retries {
    private final EngineSettings.Life life;

    Retries(EngineSettings.Life life) {
        this.life = life;
    }

    /** Until when it rests, in milliseconds since the epoch; 0 when it need not. */
    long restsUntil(GangEntry entry) {
        PastRuns past = entry.status.marks().past();
        long rest = Math.max(life.rest(past.failures()), life.rest(past.mishaps() - 1));
        return rest == 0 ? 0 : past.lastEnd() + rest;
    }

    /** Whether it has failed so often by its own fault that it does not start again. */
    boolean isHeld(GangEntry entry) {
        return entry.status.marks().past().failures() >= most(entry);
    }

    private int most(GangEntry entry) {
        return entry.status.marks().wishes().failures().orElse(life.failures());
    }

    /** What a gang waits for that is held or rests; null when it does neither. */
    @Nullable
    Waiting waiting(GangEntry entry, long now) {
        PastRuns past = entry.status.marks().past();
        if (isHeld(entry)) {
            return new Waiting(
                    Reason.FAILED_TOO_OFTEN,
                    "It has failed " + times(past.failures()) + " in a row by its own fault. " + evidence(past),
                    "Delete it and submit it again, corrected. When the cause lay outside of it and is gone, set"
                            + " muster.dev/max-failures above " + past.failures() + ".");
        }
        long until = restsUntil(entry);
        if (now >= until) {
            return null;
        }
        boolean own = past.failures() > 0;
        return new Waiting(
                Reason.BACKING_OFF,
                "It is tried again in " + QueueTerms.span(until - now) + ": it has failed "
                        + times(own ? past.failures() : past.mishaps()) + " in a row by "
                        + (own ? "its own" : "the cluster's") + " fault. " + evidence(past),
                own ? "It is held after " + times(most(entry)) + ". Look at the last attempt in its history." : "");
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    private static String evidence(PastRuns past) {
        List<Attempt> told =
                past.last().stream().filter(one -> one.fault() != Fault.NOBODY).toList();
        Attempt last = told.isEmpty() ? null : told.get(told.size() - 1);
        if (last == null || last.losses().isEmpty()) {
            return last == null ? "" : "Attempt " + last.number() + ": " + last.why() + ".";
        }
        return "Attempt " + last.number() + ", member " + last.losses().get(0).sentence();
    }
}

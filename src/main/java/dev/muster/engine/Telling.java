package dev.muster.engine;

import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes on waiting jobs why they wait, for people who look at the job alone.
 *
 * <p>A gang is told once it has waited for a while, and again only when its reason has changed, at most so often. Two lists
 * in order of time, one of newcomers and one of gangs that were looked at, cost O(1) a gang; all that is due is looked at
 * once a second, so waiting gangs do not wake the engine one by one.
 */
final class Telling {
    private static final long SECOND = 1_000;

    private final EngineSettings.Telling settings;
    private final Map<String, GangEntry> gangs;
    private final Function<GangEntry, Waiting> reason;
    private final ArrayDeque<GangEntry> newcomers = new ArrayDeque<>();
    private final ArrayDeque<GangEntry> known = new ArrayDeque<>();
    private long nextRound;

    /** Nobody waits yet; {@code reason} tells why a gang does. */
    Telling(EngineSettings.Telling settings, Map<String, GangEntry> gangs, Function<GangEntry, Waiting> reason) {
        this.settings = settings;
        this.gangs = gangs;
        this.reason = reason;
    }

    /** A gang waits. */
    void waits(GangEntry entry, long now) {
        if (settings.perSecond() > 0 && entry.tellAt == 0) {
            boolean wasTold = entry.status.marks().told() != null;
            entry.tellAt = now + (wasTold ? settings.again() : settings.after());
            (wasTold ? known : newcomers).add(entry);
        }
    }

    /** Tells whom it is time to tell. */
    void tell(long now, List<Action> actions) {
        if (now < wakeAt()) {
            return;
        }
        nextRound = now + SECOND;
        int left = tell(newcomers, now, settings.perSecond(), actions);
        tell(known, now, left, actions);
    }

    private int tell(ArrayDeque<GangEntry> due, long now, int budget, List<Action> actions) {
        int left = budget;
        for (GangEntry entry = due.peek(); entry != null && entry.tellAt <= now && left > 0; entry = due.peek()) {
            due.remove();
            entry.tellAt = 0;
            if (gangs.get(entry.uid) != entry || entry.state() != GangState.WAITING) {
                continue;
            }
            Action explain = entry.isSettled() ? explain(entry, now) : null;
            if (explain != null) {
                entry.pending = explain;
                actions.add(explain);
                left--;
            }
            entry.tellAt = now + settings.again();
            known.add(entry);
        }
        return left;
    }

    private @Nullable Action explain(GangEntry entry, long now) {
        Waiting waiting = reason.apply(entry);
        Told told = entry.status.marks().told();
        if (waiting.reason() == Reason.NEXT_IN_LINE || (told != null && told.reason() == waiting.reason())) {
            return null;
        }
        long since = told == null ? entry.submittedAt : now;
        return new Action.Explain(entry.target(), waiting.reason(), since, waiting.sentence());
    }

    /** When there is somebody to look at again; {@link Long#MAX_VALUE} when nobody waits. */
    long wakeAt() {
        GangEntry newcomer = newcomers.peek();
        GangEntry old = known.peek();
        long due = Math.min(
                newcomer == null ? Long.MAX_VALUE : newcomer.tellAt, old == null ? Long.MAX_VALUE : old.tellAt);
        return Math.max(due, nextRound);
    }
}

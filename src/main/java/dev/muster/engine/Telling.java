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
    private final Function<GangEntry, Waiting> asked;
    private final ArrayDeque<GangEntry> newcomers = new ArrayDeque<>();
    private final ArrayDeque<GangEntry> known = new ArrayDeque<>();
    private long nextRound;

    /**
     * Nobody waits yet.
     *
     * @param asked what whoever asks is told of a gang that stands in no lane
     */
    Telling(EngineSettings.Telling settings, Map<String, GangEntry> gangs, Function<GangEntry, Waiting> asked) {
        this.settings = settings;
        this.gangs = gangs;
        this.asked = asked;
    }

    /** A gang waits. */
    void waits(GangEntry entry, long now) {
        if (settings.perSecond() > 0 && entry.tellAt == 0) {
            boolean wasTold = entry.status.marks().told() != null;
            entry.tellAt = now + (wasTold ? settings.again() : settings.after());
            (wasTold ? known : newcomers).add(entry);
        }
    }

    /** Somebody else leads and tells them: those who are due are looked at again later, and who waits no more is let go. */
    void follow(long now) {
        passOver(newcomers, now);
        passOver(known, now);
    }

    private void passOver(ArrayDeque<GangEntry> due, long now) {
        for (GangEntry entry = due.peek(); entry != null && entry.tellAt <= now; entry = due.peek()) {
            due.remove();
            entry.tellAt = 0;
            if (gangs.get(entry.uid) == entry && entry.state() == GangState.WAITING) {
                entry.tellAt = now + settings.again();
                known.add(entry);
            }
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
            Action explain = entry.isSettled() && now >= entry.restsUntil ? explain(entry, now) : null;
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
        Waiting waiting = reason(entry);
        Told told = entry.status.marks().told();
        if (waiting == null || (told != null && told.reason() == waiting.reason())) {
            return null;
        }
        long since = told == null ? entry.submittedAt : now;
        return new Action.Explain(entry.target(), waiting.reason(), since, waiting.sentence());
    }

    /** Why a gang waits, as it was decided last of its lane, or as it is without one; null when it was not decided yet. */
    private @Nullable Waiting reason(GangEntry entry) {
        Lane lane = entry.lane;
        if (lane != null) {
            return lane.last == null ? null : lane.last.waiting();
        }
        Waiting waiting = asked.apply(entry);
        return waiting.reason() == Reason.NEXT_IN_LINE ? null : waiting;
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

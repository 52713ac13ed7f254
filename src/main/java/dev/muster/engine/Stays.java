package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Queue;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.Map;
import java.util.OptionalLong;

/** How long gangs occupy their places, as far as that is bounded. Times in milliseconds. */
final class Stays {
    /** How long a gang may take to leave after its end. */
    static final long OVERRUN = 60_000;
    /** The least that a gang is taken to run once more. */
    private static final long LEAST = 60_000;

    private final Quotas quotas;
    private final LearnedTimes learned;
    private final Map<String, GangEntry> gangs;

    Stays(Quotas quotas, LearnedTimes learned, Map<String, GangEntry> gangs) {
        this.quotas = quotas;
        this.learned = learned;
        this.gangs = gangs;
    }

    /**
     * How long a gang stays at most, its grace included; {@link Long#MAX_VALUE} when that is not known. Earlier attempts count
     * against a bound that is enforced.
     */
    long length(Gang gang) {
        LearnedTimes.Bound bound = learned.bound(gang);
        if (bound.millis().isEmpty()) {
            return Long.MAX_VALUE;
        }
        GangEntry entry = bound.enforced() ? gangs.get(gang.uid()) : null;
        long ran = entry == null ? 0 : entry.status.marks().past().ran();
        return Math.max(LEAST, bound.millis().getAsLong() - ran)
                + quotas.preemption(gang.queue()).grace();
    }

    /**
     * What a gang is taken to run from its next start on, for order: what is left, when its work was saved, else all. In a
     * queue that goes by waiting time alone all gangs count alike.
     */
    long expected(Gang gang) {
        Queue queue = quotas.get(gang.queue());
        if (queue != null && queue.ordering() == Queue.Ordering.FIFO) {
            return LEAST;
        }
        long whole = learned.expected(gang);
        GangEntry entry = gangs.get(gang.uid());
        return entry == null || entry.status.marks().lastCheckpoint().isEmpty()
                ? whole
                : Math.max(LEAST, whole - entry.status.marks().past().ran());
    }

    /** Whether a gang is made to leave when its bound has passed. */
    boolean isSure(Gang gang) {
        return learned.bound(gang).enforced();
    }

    /** When a gang that starts then has left; {@link Long#MAX_VALUE} when that is not known. */
    long endFrom(long start, Gang gang) {
        long length = length(gang);
        return start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
    }

    /** When a gang that has a place, or has claimed one, will have left it. */
    long end(Gang gang, Admission place, Holding holding, long now) {
        long leaving = quotas.preemption(gang.queue()).grace() + OVERRUN;
        if (holding.isStopping() && !holding.isClaim()) {
            return now + leaving;
        }
        return endFrom(holding.isClaim() ? Math.max(now, place.admittedAt()) + leaving : place.admittedAt(), gang);
    }

    // ---- the end of a bound that is enforced

    /** When the run time of an admitted gang will be used up; {@link Long#MAX_VALUE} when it has no bound. */
    long runsOutAt(GangEntry entry) {
        Admission admission = entry.status.admission();
        OptionalLong most = most(entry);
        return admission == null || most.isEmpty()
                ? Long.MAX_VALUE
                : admission.admittedAt()
                        + Math.max(
                                0,
                                most.getAsLong() - entry.status.marks().past().ran());
    }

    /** Whether a gang has used all of its run time up, so that it does not start again. */
    boolean isOutOfTime(GangEntry entry) {
        OptionalLong most = most(entry);
        return most.isPresent() && entry.status.marks().past().ran() >= most.getAsLong();
    }

    /** What a gang waits for that has used its run time up. */
    Waiting outOfTime(GangEntry entry) {
        PastRuns past = entry.status.marks().past();
        String attempts = past.attempts() == 1 ? "1 attempt" : past.attempts() + " attempts";
        return new Waiting(
                Reason.OUT_OF_TIME,
                "It has run " + QueueTerms.span(past.ran()) + " in " + attempts + "; it may run "
                        + QueueTerms.span(most(entry).orElse(0)) + ".",
                "Delete it, or set a longer muster.dev/max-runtime, within limits.maxRuntime of its queue.");
    }

    private OptionalLong most(GangEntry entry) {
        Gang gang = entry.gang;
        LearnedTimes.Bound bound = gang == null ? null : learned.bound(gang);
        return bound != null && bound.enforced() ? bound.millis() : OptionalLong.empty();
    }
}

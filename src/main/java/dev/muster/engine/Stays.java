package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Gang;

/** How long gangs occupy their places, as far as that is bounded. Times in milliseconds. */
final class Stays {
    /** How long a gang may take to leave after its end. */
    static final long OVERRUN = 60_000;

    private final Quotas quotas;
    private final LearnedTimes learned;

    Stays(Quotas quotas, LearnedTimes learned) {
        this.quotas = quotas;
        this.learned = learned;
    }

    /** How long a gang stays at most, its grace included; {@link Long#MAX_VALUE} when that is not known. */
    long length(Gang gang) {
        LearnedTimes.Bound bound = learned.bound(gang);
        return bound.millis().isPresent()
                ? bound.millis().getAsLong() + quotas.preemption(gang.queue()).grace()
                : Long.MAX_VALUE;
    }

    /** When a gang that starts then has left; {@link Long#MAX_VALUE} when that is not known. */
    long endFrom(long start, Gang gang) {
        long length = length(gang);
        return start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
    }

    /** When a gang that has a place, or has claimed one, will have left it. */
    long end(Gang gang, Admission place, Holding holding, long now) {
        long leaving = quotas.preemption(gang.queue()).grace() + OVERRUN;
        if (holding.isStopping()) {
            return now + leaving;
        }
        return endFrom(place.admittedAt() + (holding.isClaim() ? leaving : 0), gang);
    }
}

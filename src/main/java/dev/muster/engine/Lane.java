package dev.muster.engine;

import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.reserve.HalfPowers;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Requirement;
import dev.muster.core.share.Charge;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Waiting gangs of one queue that are alike in all that decides fit: if the first does not fit, none does. */
final class Lane implements Comparable<Lane> {
    final Key key;
    final SortedRun<GangEntry> gangs = new SortedRun<>();
    /** The line it stands in; null when in none. */
    @Nullable
    Line line;
    /** Whether its line knows what quota it takes. */
    boolean isKnown;
    /** Whether it is parked and has to be looked at in this cycle. */
    boolean isDue;
    /** Set before it is parked. */
    Parking.@Nullable Shape shape;
    /** What each of its gangs wants of quota, class by class; null when that has to be found out anew. */
    @Nullable
    List<Map.Entry<String, Amounts>> charges;
    /** The first of these as quota counts it, for the order of turns; null when that has to be found out anew. */
    @Nullable
    Charge turn;
    /** Why its first gang was refused last; null when that has to be found out anew. */
    Verdict.@Nullable Blocked blocked;
    /** Why its first gang was refused last, however long ago; null when none ever was. */
    Verdict.@Nullable Blocked last;

    /** The first gang that was last refused a rank, and which holders there were then; null when none was. */
    @Nullable
    Refused rankRefused;

    /** A gang that got no rank while the ranks were held so. */
    record Refused(GangEntry gang, long holders) {}

    /**
     * All of a gang that decides fit and order, but for its age.
     *
     * @param expected expected run time in milliseconds, rounded up to a half power of two
     */
    record Key(
            String queue,
            String namespace,
            int priority,
            boolean interruptible,
            long expected,
            List<PodSet> podsets,
            List<String> nodeClasses,
            List<Requirement> requirements) {
        static Key of(Gang gang, long expected) {
            return new Key(
                    gang.queue(),
                    gang.namespace(),
                    gang.priority(),
                    gang.interruptible(),
                    HalfPowers.roundUp(expected),
                    gang.podsets(),
                    gang.nodeClasses(),
                    gang.requirements());
        }
    }

    Lane(Key key) {
        this.key = key;
    }

    Parking.Shape shape() {
        return Objects.requireNonNull(shape, "a lane has a shape before it is parked");
    }

    /** Whether its gangs may use one class only, so that quota of that class decides. */
    boolean asksOneClass() {
        return charges != null && charges.size() == 1;
    }

    /** Whether some gang waits here without a reservation; those with one are looked at before all lanes. */
    boolean hasHead() {
        return rankOfHead() < gangs.size();
    }

    /** The first gang without a reservation; to be called only when there is one. */
    GangEntry head() {
        return gangs.get(rankOfHead());
    }

    private int rankOfHead() {
        int rank = 0;
        while (rank < gangs.size() && !gangs.get(rank).reservedIn.isEmpty()) {
            rank++;
        }
        return rank;
    }

    /** Order of lanes by the age of their heads. */
    @Override
    public int compareTo(Lane other) {
        return head().compareTo(other.head());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}

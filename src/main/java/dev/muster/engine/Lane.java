package dev.muster.engine;

import dev.muster.core.decide.Verdict;
import dev.muster.core.decide.reserve.HalfPowers;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiting gangs of one queue that are alike in all that decides fit: if the first does not fit, none does. */
final class Lane implements Comparable<Lane> {
    final Key key;
    final SortedRun<GangEntry> gangs = new SortedRun<>();
    /** Why its first gang was refused last; null when that has to be found out anew. */
    Verdict.@Nullable Blocked blocked;

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

    /** Order of lanes by the age of their first gangs. */
    @Override
    public int compareTo(Lane other) {
        return gangs.first().compareTo(other.gangs.first());
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

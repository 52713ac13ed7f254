package dev.muster.engine;

import dev.muster.core.decide.Verdict;
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

    /** All of a gang that decides fit and order, but for its age. */
    record Key(
            String queue,
            String namespace,
            int priority,
            boolean interruptible,
            List<PodSet> podsets,
            List<String> nodeClasses,
            List<Requirement> requirements) {
        static Key of(Gang gang) {
            return new Key(
                    gang.queue(),
                    gang.namespace(),
                    gang.priority(),
                    gang.interruptible(),
                    gang.podsets(),
                    gang.nodeClasses(),
                    gang.requirements());
        }
    }

    Lane(Key key) {
        this.key = key;
    }

    /** Order of lanes in a queue, by their first gangs: higher priority, then older. */
    @Override
    public int compareTo(Lane other) {
        int byPriority = Integer.compare(other.key.priority, key.priority);
        return byPriority != 0 ? byPriority : gangs.first().compareTo(other.gangs.first());
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

package dev.muster.core.decide.evict;

import dev.muster.core.share.Stake;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Victims whose stop admits a candidate, none of them needless, in the order of their UIDs. Evictions compare by
 * preference: less lost in the candidate's own queue, fewer victims there, less lost at all, fewer victims, UIDs.
 *
 * @param victims the gangs to stop, at least one
 * @param cost what stopping all of them loses
 * @param ownCost what is lost in the candidate's own queue
 * @param ownVictims how many of them are of the candidate's own queue
 */
public record Eviction(List<Stake> victims, long cost, long ownCost, int ownVictims) implements Comparable<Eviction> {
    private static final Comparator<Eviction> BY_LOSS = Comparator.comparingLong(Eviction::ownCost)
            .thenComparingInt(Eviction::ownVictims)
            .thenComparingLong(Eviction::cost)
            .thenComparingInt(eviction -> eviction.victims().size());

    public Eviction {
        victims = victims.stream().sorted(Comparator.comparing(Stake::uid)).toList();
    }

    @Override
    public int compareTo(Eviction other) {
        int byLoss = BY_LOSS.compare(this, other);
        Iterator<Stake> theirs = other.victims.iterator();
        Iterator<Stake> ours = victims.iterator();
        while (byLoss == 0 && ours.hasNext()) {
            byLoss = ours.next().uid().compareTo(theirs.next().uid());
        }
        return byLoss;
    }
}

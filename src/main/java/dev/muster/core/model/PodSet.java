package dev.muster.core.model;

import org.jspecify.annotations.Nullable;

/**
 * Members of equal shape inside a gang.
 *
 * @param name unique in the gang
 * @param count members that run at the same time, at least 1
 * @param minCount members without which the gang is of no use, 1 to {@code count}
 * @param ranked whether member i has an index and gets its own exact node
 * @param topology what the members ask of topology; null when they ask nothing
 */
public record PodSet(
        String name,
        int count,
        int minCount,
        PodShape shape,
        boolean ranked,
        @Nullable TopologyWish topology) {
    public PodSet {
        if (count < 1 || minCount < 1 || minCount > count) {
            throw new IllegalArgumentException("podset " + name + " has count " + count + " and minCount " + minCount
                    + "; need 1 <= minCount <= count");
        }
    }

    /** Requests of all members together. */
    public Amounts total() {
        return shape.requests().times(count);
    }
}

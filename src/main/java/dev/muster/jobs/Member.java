package dev.muster.jobs;

import org.jspecify.annotations.Nullable;

/**
 * Which member of its gang a pod is.
 *
 * @param ranked whether the members of its podset have numbers
 * @param rank its number from 0; null when it has none that can be read, and then, in a ranked podset, no place
 */
public record Member(
        String podset, boolean ranked, @Nullable Integer rank) {}

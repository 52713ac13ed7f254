package dev.muster.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a gang has behind it. Times in milliseconds since the epoch.
 *
 * @param attempts how often it was admitted and gave its place back
 * @param evictions when it was preempted, oldest first, the last {@link #MOST} at most
 * @param ran how long its attempts held their places, all together, in milliseconds
 */
public record PastRuns(int attempts, List<Long> evictions, long ran) {
    /** How many evictions are remembered. */
    public static final int MOST = 16;
    /** Nothing behind it. */
    public static final PastRuns NONE = new PastRuns(0, List.of(), 0);

    public PastRuns {
        evictions = List.copyOf(evictions);
    }

    /** One attempt more, that held its place from one time until another. */
    public PastRuns with(long from, long until, boolean evicted) {
        List<Long> times = new ArrayList<>(evictions);
        if (evicted) {
            times.add(until);
        }
        List<Long> last = times.subList(Math.max(0, times.size() - MOST), times.size());
        return new PastRuns(attempts + 1, last, ran + Math.max(0, until - from));
    }

    /** When it was preempted last; 0 when that is not remembered. */
    public long lastEviction() {
        return evictions.isEmpty() ? 0 : evictions.get(evictions.size() - 1);
    }

    /** How many of the remembered evictions came after a time. */
    public int evictionsAfter(long time) {
        int after = 0;
        for (long at : evictions) {
            after += at > time ? 1 : 0;
        }
        return after;
    }
}

package dev.muster.core.model;

import dev.muster.core.model.PodReport.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * What a gang has behind it. Times in milliseconds since the epoch.
 *
 * @param attempts how often it was admitted and gave its place back
 * @param evictions when it was preempted, oldest first, the last {@link #MOST} at most
 * @param ran how long its attempts held their places, all together, in milliseconds
 * @param excused how much of that ended by the cluster's fault, and is not held against it when it waits again
 * @param failures attempts in a row that failed by its own fault
 * @param mishaps starts in a row that failed by the cluster's fault
 * @param last its last attempts, oldest first, {@link #MOST_TOLD} at most; the last may still be leaving
 */
public record PastRuns(
        int attempts, List<Long> evictions, long ran, long excused, int failures, int mishaps, List<Attempt> last) {
    /** How many evictions are remembered. */
    public static final int MOST = 16;
    /** Of how many attempts the evidence is kept. */
    public static final int MOST_TOLD = 8;
    /** Nothing behind it. */
    public static final PastRuns NONE = new PastRuns(0, List.of(), 0);

    public PastRuns {
        evictions = List.copyOf(evictions);
        last = List.copyOf(last.subList(Math.max(0, last.size() - MOST_TOLD), last.size()));
    }

    /** One without evidence. */
    public PastRuns(int attempts, List<Long> evictions, long ran) {
        this(attempts, evictions, ran, 0, 0, 0, List.of());
    }

    /** The same with the evidence of an attempt that is leaving now; it replaces an earlier one of the same number. */
    public PastRuns leaving(Attempt attempt) {
        List<Attempt> told = new ArrayList<>(last);
        told.removeIf(one -> one.number() == attempt.number() && one.from() == attempt.from());
        told.add(attempt);
        return new PastRuns(attempts, evictions, ran, excused, failures, mishaps, told);
    }

    /**
     * One attempt more, that held its place from one time until another.
     *
     * @param unknown what is told of it when no evidence was kept as it left
     */
    public PastRuns with(Attempt unknown, long until, boolean evicted) {
        Attempt over = last.stream()
                .filter(one -> one.number() == unknown.number() && one.from() == unknown.from())
                .findFirst()
                .orElse(unknown)
                .endedAt(until);
        List<Long> times = new ArrayList<>(evictions);
        if (evicted) {
            times.add(until);
        }
        boolean own = over.fault() == Fault.JOB;
        boolean cluster = over.fault() == Fault.CLUSTER;
        return new PastRuns(
                attempts + 1,
                times.subList(Math.max(0, times.size() - MOST), times.size()),
                ran + over.length(),
                excused + (cluster ? over.length() : 0),
                own ? (over.ran() ? 0 : failures) + 1 : over.ran() ? 0 : failures,
                cluster && !over.ran() ? mishaps + 1 : over.ran() || own ? 0 : mishaps,
                leaving(over).last());
    }

    /** When it gave its place back last; 0 when that is not remembered. */
    public long lastEnd() {
        return last.isEmpty() ? 0 : last.get(last.size() - 1).until();
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

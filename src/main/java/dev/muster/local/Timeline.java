package dev.muster.local;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/** What will happen at a known time: each action once, in order of time, then of entry. */
final class Timeline {
    private record Due(long at, long entry, LongConsumer action) {}

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::entry));
    private long entries;

    /** Enters an action, which is given its time. */
    void at(long time, LongConsumer action) {
        due.add(new Due(time, ++entries, action));
    }

    /** Runs the next action that is due by now, at its own time. Returns that time, or -1 when none is due. */
    long runNext(long now) {
        Due next = due.peek();
        if (next == null || next.at() > now) {
            return -1;
        }
        due.poll();
        next.action().accept(next.at());
        return next.at();
    }
}

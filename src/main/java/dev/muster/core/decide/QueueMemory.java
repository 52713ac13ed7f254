package dev.muster.core.decide;

import dev.muster.core.decide.reserve.RunTimes;
import dev.muster.core.share.PastUse;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is learned of a queue over time, and has to be stored so that a restart does not forget it.
 *
 * @param pastUse what it has borrowed in the past; null when it never did
 * @param runTimes how long its gangs have run, by the most GPUs of their size class
 */
public record QueueMemory(@Nullable Borrowed pastUse, Map<Integer, RunTimes> runTimes) {
    /** Nothing is learned yet. */
    public static final QueueMemory NONE = new QueueMemory(null, Map.of());

    public QueueMemory {
        runTimes = Map.copyOf(runTimes);
    }

    /**
     * What a queue has borrowed in the past: the four numbers of a {@link PastUse}, which says what they mean.
     *
     * @param second in seconds since the epoch of time
     */
    public record Borrowed(long epoch, long history, long added, long second) {
        static @Nullable Borrowed of(@Nullable PastUse use) {
            return use == null ? null : new Borrowed(use.epoch(), use.history(), use.added(), use.second());
        }

        PastUse use() {
            return new PastUse(epoch, history, added, second);
        }
    }
}

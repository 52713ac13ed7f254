package dev.muster.core.model;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What Muster and the trainer have noted on a job besides its state and admission. Times in milliseconds since the epoch.
 *
 * @param claim what it has claimed; null when nothing
 * @param stopAt when it will be suspended, once it has been told to stop
 * @param lastCheckpoint when its trainer saved its work last, as the job says
 * @param past what it has behind it
 * @param told what it was told last of why it waits or stops; null when nothing, or nothing that can be understood
 * @param wishes what its owner wants of its life
 */
public record GangMarks(
        @Nullable Claim claim,
        OptionalLong stopAt,
        OptionalLong lastCheckpoint,
        PastRuns past,
        @Nullable Told told,
        Wishes wishes) {
    /** Nothing noted. */
    public static final GangMarks NONE =
            new GangMarks(null, OptionalLong.empty(), OptionalLong.empty(), PastRuns.NONE, null, Wishes.NONE);

    /** The same with another claim; null for none. */
    public GangMarks claiming(@Nullable Claim other) {
        return new GangMarks(other, stopAt, lastCheckpoint, past, told, wishes);
    }

    /** The same with the claim of a place to which it moves; null changes nothing. */
    public GangMarks moving(@Nullable Claim to) {
        return to == null ? this : claiming(to);
    }

    /** The same with a time at which it will be stopped. */
    public GangMarks stopping(long at) {
        return new GangMarks(claim, OptionalLong.of(at), lastCheckpoint, past, told, wishes);
    }

    /** The same with neither a claim nor a time to stop, and with what it was told last; null for nothing. */
    public GangMarks freed(@Nullable Told last) {
        return new GangMarks(null, OptionalLong.empty(), lastCheckpoint, past, last, wishes);
    }

    /** The same with more behind it. */
    public GangMarks having(PastRuns behind) {
        return new GangMarks(claim, stopAt, lastCheckpoint, behind, told, wishes);
    }

    /** The same, told something else. */
    public GangMarks telling(Told other) {
        return new GangMarks(claim, stopAt, lastCheckpoint, past, other, wishes);
    }

    /** The same, told another reason; since when is left open. */
    public GangMarks telling(Reason reason) {
        return telling(new Told(reason, 0));
    }

    /** The same with another time of the last checkpoint. */
    public GangMarks saved(OptionalLong at) {
        return new GangMarks(claim, stopAt, at, past, told, wishes);
    }

    /** The same with other wishes. */
    public GangMarks wishing(Wishes other) {
        return new GangMarks(claim, stopAt, lastCheckpoint, past, told, other);
    }

    /**
     * What a job's owner wants of its life.
     *
     * @param notifyPods whether a stop is announced on its pods, too
     * @param failures after how many failed attempts of its own it is held; empty for what the settings say
     */
    public record Wishes(boolean notifyPods, OptionalInt failures) {
        /** None. */
        public static final Wishes NONE = new Wishes(false, OptionalInt.empty());
    }

    /**
     * What a gang was told: a reason, and since when that has been so.
     *
     * @param since milliseconds since the epoch
     */
    public record Told(Reason reason, long since) {}
}

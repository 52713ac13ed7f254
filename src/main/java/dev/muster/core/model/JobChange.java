package dev.muster.core.model;

import org.jspecify.annotations.Nullable;

/** One change that Muster makes on a job, whoever carries it out; each is one write. Times in milliseconds since the epoch. */
public sealed interface JobChange {
    /** It starts. */
    record Admit(Admission admission) implements JobChange {}

    /** It runs on, with other places for members that it has lost. */
    record Repair(Admission admission) implements JobChange {}

    /** A place is kept for it. */
    record MakeClaim(Claim claim) implements JobChange {}

    /** Its claim has ended without a start. */
    record DropClaim() implements JobChange {}

    /**
     * It is told that it will be stopped.
     *
     * @param moves the place that it gets at once, when it is only moved; null when it is not
     */
    record Notice(
            long stopAt,
            Reason reason,
            String sentence,
            @Nullable Claim moves) implements JobChange {}

    /**
     * It is stopped; its admission stays, for the charge is read from it.
     *
     * @param moves the place that it gets at once, when it is only moved and was not told before; null otherwise
     * @param past what it has behind it, with the evidence of this attempt; null to leave that as it is
     */
    record Stop(
            Reason reason,
            String sentence,
            @Nullable Claim moves,
            @Nullable PastRuns past) implements JobChange {
        /** One that is not moved and leaves no evidence. */
        public Stop(Reason reason, String sentence) {
            this(reason, sentence, null, null);
        }
    }

    /**
     * Its charge has ended: it waits again.
     *
     * @param past what it has behind it now
     */
    record Release(PastRuns past) implements JobChange {}

    /**
     * It has ended while it was being stopped, or otherwise so that somebody has to hear of it: its state, and the evidence.
     *
     * @param past what it has behind it now
     */
    record Finish(PastRuns past) implements JobChange {}

    /** It is told why it waits, and since when. */
    record Explain(Reason reason, long since, String sentence) implements JobChange {}

    /** Only its state is noted. */
    record Mark(GangState state) implements JobChange {}
}

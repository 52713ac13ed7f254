package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangState;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write that a plan asks for. Writes to a job carry its resourceVersion as the precondition and the writer's fence. */
public sealed interface Action {
    /** The job or pod that is written. */
    Target target();

    /** The kind's stable name, as it stands in metrics and logs. */
    String kind();

    /** What it changes on the job; empty when it is about a pod. */
    Optional<JobChange> change();

    /**
     * Start the gang: suspend false, state admitted, the admission, in one patch.
     *
     * @param purpose what its queue is for
     * @param waited how long it has waited, in milliseconds
     */
    record Admit(Target target, Admission admission, String sentence, Queue.Purpose purpose, long waited)
            implements Action {
        /** One of which nobody counts how long it has waited. */
        public Admit(Target target, Admission admission, String sentence) {
            this(target, admission, sentence, Queue.Purpose.TRAINING, 0);
        }

        @Override
        public String kind() {
            return "admit";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Admit(admission));
        }
    }

    /** Give members that a running gang has lost other places: the admission alone changes. */
    record Repair(Target target, Admission admission, String sentence) implements Action {
        @Override
        public String kind() {
            return "repair";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Repair(admission));
        }
    }

    /** Keep a place for the gang while its victims leave; written before any of them is told to stop. */
    record MakeClaim(Target target, Claim claim) implements Action {
        @Override
        public String kind() {
            return "claim";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.MakeClaim(claim));
        }
    }

    /** The claim has ended without a start. */
    record DropClaim(Target target) implements Action {
        @Override
        public String kind() {
            return "drop-claim";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.DropClaim());
        }
    }

    /**
     * Tell the gang that it will be stopped at a time, in milliseconds since the epoch: state stopping, the time, and the
     * place to which it moves, if it does.
     */
    record Notice(
            Target target,
            long stopAt,
            Reason reason,
            String sentence,
            @Nullable Claim moves) implements Action {
        @Override
        public String kind() {
            return "notice";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Notice(stopAt, reason, sentence, moves));
        }
    }

    /**
     * Stop the gang: suspend true, state stopping; the admission stays, for the charge is read from it.
     *
     * @param past what it has behind it, with the evidence of this attempt; null to leave that as it is
     */
    record Stop(
            Target target,
            Reason reason,
            String sentence,
            @Nullable Claim moves,
            @Nullable PastRuns past) implements Action {
        /** One that is not moved and leaves no evidence. */
        public Stop(Target target, Reason reason, String sentence) {
            this(target, reason, sentence, null, null);
        }

        @Override
        public String kind() {
            return "stop";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Stop(reason, sentence, moves, past));
        }
    }

    /**
     * The charge of a stopped gang has ended: state waiting; admission and notice go.
     *
     * @param past what it has behind it, this time included
     */
    record Release(Target target, PastRuns past) implements Action {
        @Override
        public String kind() {
            return "release";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Release(past));
        }
    }

    /** The gang has ended while it was being stopped: state finished, with the evidence, and its owner is warned. */
    record Finish(Target target, PastRuns past, String sentence) implements Action {
        @Override
        public String kind() {
            return "finish";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Finish(past));
        }
    }

    /** Tell a waiting gang why it waits, and since when, in milliseconds since the epoch. */
    record Explain(Target target, Reason reason, long since, String sentence) implements Action {
        @Override
        public String kind() {
            return "explain";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Explain(reason, since, sentence));
        }
    }

    /** Only the state label changes: running, or finished. */
    record Mark(Target target, GangState state) implements Action {
        @Override
        public String kind() {
            return "mark";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.of(new JobChange.Mark(state));
        }
    }

    /** Give a gated pod its place: node affinity, tolerations, stamps, and take the gate away. */
    record PlacePod(Target target, String podset, String gangUid, Admission admission) implements Action {
        @Override
        public String kind() {
            return "place";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.empty();
        }
    }

    /** Announce a stop on a pod that is to hear of it; {@code stopAt} in milliseconds since the epoch. */
    record TellPod(Target target, String gangUid, long stopAt) implements Action {
        @Override
        public String kind() {
            return "tell";
        }

        @Override
        public Optional<JobChange> change() {
            return Optional.empty();
        }
    }

    /**
     * Which object is meant.
     *
     * @param resourceVersion precondition; empty for pods
     */
    record Target(String uid, String namespace, String name, String resourceVersion) {}
}

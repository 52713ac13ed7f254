package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;

/** One write that a plan asks for. Writes to a job carry its resourceVersion as the precondition and the writer's fence. */
public sealed interface Action {
    /** The job or pod that is written. */
    Target target();

    /** The kind's stable name, as it stands in metrics and logs. */
    String kind();

    /** Start the gang: suspend false, state admitted, the admission, in one patch. */
    record Admit(Target target, Admission admission, String sentence) implements Action {
        @Override
        public String kind() {
            return "admit";
        }
    }

    /** Keep a place for the gang while its victims leave; written before any of them is told to stop. */
    record MakeClaim(Target target, Claim claim) implements Action {
        @Override
        public String kind() {
            return "claim";
        }
    }

    /** The claim has ended without a start. */
    record DropClaim(Target target) implements Action {
        @Override
        public String kind() {
            return "drop-claim";
        }
    }

    /** Tell the gang that it will be stopped at a time, in milliseconds since the epoch: state stopping, and the time. */
    record Notice(Target target, long stopAt, Reason reason, String sentence) implements Action {
        @Override
        public String kind() {
            return "notice";
        }
    }

    /** Stop the gang: suspend true, state stopping; the admission stays, for the charge is read from it. */
    record Stop(Target target, Reason reason, String sentence) implements Action {
        @Override
        public String kind() {
            return "stop";
        }
    }

    /**
     * The charge of a stopped gang has ended: state waiting; admission and notice go.
     *
     * @param evictions how often it was stopped so far, this time included
     */
    record Release(Target target, int evictions) implements Action {
        @Override
        public String kind() {
            return "release";
        }
    }

    /** Only the state label changes: running, or finished. */
    record Mark(Target target, GangState state) implements Action {
        @Override
        public String kind() {
            return "mark";
        }
    }

    /** Give a gated pod its place: node affinity, tolerations, stamps, and take the gate away. */
    record PlacePod(Target target, String podset, String gangUid, Admission admission) implements Action {
        @Override
        public String kind() {
            return "place";
        }
    }

    /**
     * Which object is meant.
     *
     * @param resourceVersion precondition; empty for pods
     */
    record Target(String uid, String namespace, String name, String resourceVersion) {}
}

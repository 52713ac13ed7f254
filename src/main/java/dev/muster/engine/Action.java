package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.GangState;
import dev.muster.core.model.Reason;

/** One write that a plan asks for. Writes to a job carry its resourceVersion as the precondition and the writer's fence. */
public sealed interface Action {
    /** The job or pod that is written. */
    Target target();

    /** Start the gang: suspend false, state admitted, the admission, in one patch. */
    record Admit(Target target, Admission admission, String sentence) implements Action {}

    /** Stop the gang: suspend true, state stopping; the admission stays, for the charge is read from it. */
    record Stop(Target target, Reason reason, String sentence) implements Action {}

    /** The charge of a stopped gang has ended: state waiting, the admission goes. */
    record Release(Target target) implements Action {}

    /** Only the state label changes: running, or finished. */
    record Mark(Target target, GangState state) implements Action {}

    /** Give a gated pod its place: node affinity, tolerations, stamps, and take the gate away. */
    record PlacePod(Target target, String podset, String gangUid, Admission admission) implements Action {}

    /**
     * Which object is meant.
     *
     * @param resourceVersion precondition; empty for pods
     */
    record Target(String uid, String namespace, String name, String resourceVersion) {}
}

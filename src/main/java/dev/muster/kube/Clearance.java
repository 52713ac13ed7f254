package dev.muster.kube;

import dev.muster.kube.LeaseTable.Fence;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether decisions may begin, go on or must stop: a table over who leads, which watches are down and what is prepared.
 * Pure; {@link KubeCluster} looks and acts.
 *
 * <p>Decisions stop when the fence changes or ends, or a watch is down for longer than {@code outage}. They begin only when
 * this process leads, every watch is up, and everything was listed anew after that.
 *
 * @param outageNanos how long a watch may be down before decisions stop
 */
record Clearance(long outageNanos) {
    /**
     * What is known between two looks.
     *
     * @param cleared the fence under which decisions are made; null when none are made
     * @param downSince when a watch was first seen down; null while all are up
     */
    record State(@Nullable Fence cleared, @Nullable Long downSince) {
        static final State NOTHING = new State(null, null);
    }

    /** What is to be done. */
    enum Action {
        NOTHING,
        STOP,
        PREPARE
    }

    /** The state after a look, and what is to be done. */
    record Step(State state, Action action) {}

    /** What follows from a look: {@code fence} is empty when this process does not lead, {@code down} names watches. */
    Step look(State state, Optional<Fence> fence, List<String> down, long now) {
        Long since = down.isEmpty() ? null : state.downSince() == null ? Long.valueOf(now) : state.downSince();
        boolean out = since != null && now - since >= outageNanos;
        if (state.cleared() != null && (out || !fence.equals(Optional.of(state.cleared())))) {
            return new Step(new State(null, since), Action.STOP);
        }
        boolean ready = state.cleared() == null && fence.isPresent() && down.isEmpty();
        return new Step(new State(state.cleared(), since), ready ? Action.PREPARE : Action.NOTHING);
    }

    /** The state after everything was listed anew under this fence. */
    State prepared(Fence fence) {
        return new State(fence, null);
    }
}

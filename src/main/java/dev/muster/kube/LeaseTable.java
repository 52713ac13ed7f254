package dev.muster.kube;

import org.jspecify.annotations.Nullable;

/**
 * Who leads, as a table: state × observation × time → next state and what to do. Pure; the shell around it reads and
 * writes the Lease.
 *
 * <p>Time is a monotonic clock's nanoseconds on this machine alone, counted from when a change of the Lease was
 * <em>observed</em> here: clocks of other machines are never compared. A leader counts from <em>before</em> it sent the
 * renewal that succeeded, a follower from <em>after</em> it saw one, so the leader always gives up first as long as
 * {@code renewDeadline} is below {@code duration}.
 *
 * @param identity of this process, never used by another one
 * @param durationNanos after which an unchanged Lease of somebody else may be taken
 * @param renewDeadlineNanos after which a leader that could not renew no longer leads; below the duration
 */
record LeaseTable(String identity, long durationNanos, long renewDeadlineNanos) {
    LeaseTable {
        if (identity.isBlank()) {
            throw new IllegalArgumentException("the lease needs an identity");
        }
        if (renewDeadlineNanos <= 0 || renewDeadlineNanos >= durationNanos) {
            throw new IllegalArgumentException("the renew deadline of " + renewDeadlineNanos
                    + " ns must be above 0 and below the lease duration of " + durationNanos + " ns");
        }
    }

    /** Where this process stands. */
    sealed interface State {
        /** It follows; {@code seen} is the Lease as observed last, unchanged since {@code since}. */
        record Following(@Nullable Seen seen, long since) implements State {}

        /** It leads under this fence; the renewal that succeeded last was sent at {@code renewedAt}. */
        record Leading(Fence fence, long renewedAt) implements State {}
    }

    /** The Lease as read; {@code holder} is empty when it was released. */
    record Seen(String uid, String holder, int transitions, String resourceVersion) {
        Fence fence() {
            return new Fence(uid, transitions);
        }
    }

    /** What marks the writes of one leadership: the Lease's UID and how often it has changed hands. */
    record Fence(String leaseUid, int transitions) {
        /** As it stands on objects. */
        String text() {
            return leaseUid + "/" + transitions;
        }
    }

    /** What the shell is to write. */
    enum Action {
        NOTHING,
        CREATE,
        TAKE,
        RENEW
    }

    /** The state after an observation, and what to write. */
    record Step(State state, Action action) {}

    /** The state of a process that has seen nothing yet. */
    static State start(long now) {
        return new State.Following(null, now);
    }

    /** What follows from reading the Lease; {@code lease} is null when there is none. */
    Step observe(State state, @Nullable Seen lease, long now) {
        State current = expire(state, now);
        if (lease == null) {
            return new Step(new State.Following(null, now), Action.CREATE);
        }
        if (lease.holder().equals(identity)) {
            // a Lease that is ours while we follow was lost to the deadline: it changes hands again, so that the fence
            // changes
            boolean stillOurs =
                    current instanceof State.Leading leading && leading.fence().equals(lease.fence());
            return stillOurs ? new Step(current, Action.RENEW) : new Step(new State.Following(lease, now), Action.TAKE);
        }
        State.Following following =
                current instanceof State.Following f && lease.equals(f.seen()) ? f : new State.Following(lease, now);
        boolean free = lease.holder().isEmpty() || now - following.since() >= durationNanos;
        return new Step(following, free ? Action.TAKE : Action.NOTHING);
    }

    /** The state after a create, take or renewal was stored as {@code written}; it was sent at {@code sentAt}. */
    State written(Seen written, long sentAt) {
        return new State.Leading(written.fence(), sentAt);
    }

    /** The state that time alone leaves: a leader past its renew deadline follows. */
    State expire(State state, long now) {
        return state instanceof State.Leading leading && now - leading.renewedAt() >= renewDeadlineNanos
                ? start(now)
                : state;
    }

    /** The fence under which this process may write now; null when it does not lead. */
    @Nullable
    Fence fence(State state, long now) {
        return expire(state, now) instanceof State.Leading leading ? leading.fence() : null;
    }

    /**
     * The fence of whoever leads, as far as is known here: this process within its renew deadline, or another holder whose
     * Lease was seen to change less than the duration ago. Null when that is nobody, or not known any more.
     */
    @Nullable
    Fence present(State state, long now) {
        if (state instanceof State.Following following) {
            Seen seen = following.seen();
            return seen == null || seen.holder().isEmpty() || now - following.since() >= durationNanos
                    ? null
                    : seen.fence();
        }
        return fence(state, now);
    }
}

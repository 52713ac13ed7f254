package dev.muster.engine;

import java.util.List;

/**
 * What a cycle decided.
 *
 * @param actions to be written; those of different objects may go out in parallel
 * @param more whether the budget ran out before everything that could start was looked at: cycle again at once
 * @param wakeAt milliseconds since the epoch at which time alone changes something; {@link Long#MAX_VALUE} when never
 */
public record Plan(List<Action> actions, boolean more, long wakeAt) {
    public Plan {
        actions = List.copyOf(actions);
    }
}

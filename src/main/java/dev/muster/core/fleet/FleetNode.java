package dev.muster.core.fleet;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeFacts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node with its bookings. It outlives the node object: bookings on a node that is gone for a while are still there
 * when it comes back.
 */
final class FleetNode {
    final String name;

    @Nullable
    NodeFacts facts;

    long[] allocatable = {};
    /** The most it ever offered, for judging what could run here once it is well again. */
    long[] declared = {};

    /** What really occupies it: running and stopping members, and foreign pods. */
    long[] held = {};
    /** What will occupy it: the same without what is stopping, and with what is claimed. */
    long[] committed = {};
    /** What will still be taken at the time that {@link Outlook} looks at; null when that is what is taken now. */
    long @Nullable [] then;

    @Nullable
    ClassFleet home;
    /** Its place in {@link #home}, in the order of names. */
    int rank;
    /** Its bucket in each index of {@link #home}: free GPUs, or -1 while it takes no new members. */
    final int[] bucket = {-1, -1, -1};

    FleetNode(String name) {
        this.name = name;
    }

    /** Whether new members may come. */
    boolean isUsable() {
        String demanded = home == null ? "" : home.nodeClass.readyCondition();
        return facts != null
                && facts.ready()
                && !facts.cordoned()
                && (demanded.isEmpty() || facts.conditions().contains(demanded));
    }

    /** Free of one resource, never below 0, whether usable or not. */
    long free(View view, int resource) {
        return Math.max(0, Vectors.at(allocatable, resource) - used(view, resource));
    }

    private long used(View view, int resource) {
        long[] shown = view == View.THEN ? then : null;
        if (shown != null) {
            return Vectors.at(shown, resource);
        }
        long will = Vectors.at(committed, resource);
        return view == View.LATER ? will : Math.max(will, Vectors.at(held, resource));
    }

    /** How many times the request fits beside what {@code besides} takes, at most {@code limit}. */
    int times(View view, long[] besides, long[] request, int limit) {
        long times = limit;
        for (int i = 0; i < request.length && times > 0; i++) {
            if (request[i] > 0) {
                times = Math.min(times, Math.max(0, free(view, i) - Vectors.at(besides, i)) / request[i]);
            }
        }
        return (int) times;
    }

    /** The node as it is known; an unknown one has no labels and offers nothing. */
    NodeFacts known() {
        return facts != null ? facts : new NodeFacts(name, Map.of(), List.of(), Amounts.NONE, false, false);
    }
}

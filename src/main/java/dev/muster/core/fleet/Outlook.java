package dev.muster.core.fleet;

import dev.muster.core.model.PodSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One class as it will be when some of what is booked there has left.
 *
 * <p>It writes the {@link View#THEN} bookings of the nodes, which nobody else uses; so only one outlook of a fleet can be in
 * use at a time. Beginning costs O(nodes that the one before has written), each leaving O(nodes it leaves).
 */
public final class Outlook {
    private static final long[] NOTHING = {};

    private final Fleet fleet;
    private final @Nullable ClassFleet of;

    /** The class as it is now. */
    public Outlook(Fleet fleet, String className) {
        this.fleet = fleet;
        of = fleet.fleetOf(className);
        if (of != null) {
            of.showNow();
        }
    }

    /** From here on a node is used so, of each resource. */
    public void set(String name, long[] used) {
        FleetNode node = fleet.node(name);
        if (of != null && node != null && node.home == of) {
            of.show(node, used);
        }
    }

    /** Whether all GPUs that are free then, wherever they are, could hold the members; fast, and never a wrong no. */
    public boolean mayHold(List<PodSet> podsets) {
        return of != null && mayHold(of, View.THEN, podsets);
    }

    /** The same of what is free now. */
    public static boolean mayHoldNow(Fleet fleet, String className, List<PodSet> podsets) {
        ClassFleet of = fleet.fleetOf(className);
        return of != null && mayHold(of, View.NOW, podsets);
    }

    private static boolean mayHold(ClassFleet of, View view, List<PodSet> podsets) {
        FreeIndex index = of.index(view);
        long all = 0;
        for (PodSet podset : podsets) {
            long each = podset.shape().requests().get(of.nodeClass.resource());
            all += each * podset.count();
            if (index.room(each, podset.count()) < podset.count()) {
                return false;
            }
        }
        return all <= index.freeGpus();
    }

    /** What a node takes of each resource once these amounts are gone from what is held and committed there now. */
    public static long[] usedWithout(Fleet fleet, String name, long[] heldGone, long[] committedGone) {
        FleetNode node = fleet.node(name);
        return node == null ? NOTHING : after(node, heldGone, committedGone);
    }

    /** Whether a node, used so, has room for an amount, and takes members. */
    public static boolean hasRoom(Fleet fleet, String name, long[] used, Map<String, long[]> kept, long[] amount) {
        FleetNode node = fleet.node(name);
        if (node == null || !node.isUsable()) {
            return false;
        }
        long[] besides = kept.getOrDefault(name, NOTHING);
        for (int i = 0; i < amount.length; i++) {
            long free = Vectors.at(node.allocatable, i) - Vectors.at(used, i) - Vectors.at(besides, i);
            if (amount[i] > 0 && free < amount[i]) {
                return false;
            }
        }
        return true;
    }

    private static long[] after(FleetNode node, long[] heldGone, long[] committedGone) {
        long[] used = new long[Math.max(node.held.length, node.committed.length)];
        for (int i = 0; i < used.length; i++) {
            used[i] = Math.max(
                    Vectors.at(node.held, i) - Vectors.at(heldGone, i),
                    Vectors.at(node.committed, i) - Vectors.at(committedGone, i));
        }
        return used;
    }
}

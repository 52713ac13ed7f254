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

    long[] booked = {};

    @Nullable
    ClassFleet home;
    /** Its place in {@link #home}, in the order of names. */
    int rank;
    /** Its bucket in {@link #home}: free GPUs, or -1 while it takes no new members. */
    int bucket = -1;

    FleetNode(String name) {
        this.name = name;
    }

    /** Whether new members may come. */
    boolean isUsable() {
        return facts != null && facts.ready() && !facts.cordoned();
    }

    /** Free of one resource, never below 0, whether usable or not. */
    long free(int resource) {
        return Math.max(0, Vectors.at(allocatable, resource) - Vectors.at(booked, resource));
    }

    /** The node as it is known; an unknown one has no labels and offers nothing. */
    NodeFacts known() {
        return facts != null ? facts : new NodeFacts(name, Map.of(), List.of(), Amounts.NONE, false, false);
    }
}

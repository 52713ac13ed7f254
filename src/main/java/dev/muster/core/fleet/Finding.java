package dev.muster.core.fleet;

import dev.muster.core.model.Admission.NodeSlots;
import java.util.List;

/** What the search for a place found. */
public sealed interface Finding {
    /** A place for every member: per podset, in the gang's order, its nodes in rank order. */
    record Place(List<List<NodeSlots>> podsets) implements Finding {
        public Place {
            podsets = List.copyOf(podsets);
        }
    }

    /**
     * No place, and what is missing. All counts are about the first podset that could not be placed.
     *
     * @param cause what stands in the way
     * @param podset its name
     * @param members how many of its members were to be placed
     * @param perMember GPUs that one member asks; 0 when it asks none
     * @param placeable members that could be placed now
     * @param freeGpus GPUs free on the usable nodes of the class that accept it
     * @param acceptingNodes nodes of the class, usable or not, that accept it by label, name and taint
     * @param usableNodes nodes among those that take members now
     * @param scarce the resource that is short, when it is not the GPU; empty otherwise
     */
    record Shortfall(
            Cause cause,
            String podset,
            int members,
            long perMember,
            int placeable,
            long freeGpus,
            int acceptingNodes,
            int usableNodes,
            String scarce)
            implements Finding {}

    /** What stands in the way of a place. */
    enum Cause {
        /** The class has no node at all. */
        NO_NODES,
        /** No node's labels, name and taints suit the podset. */
        NONE_ACCEPTS,
        /** Too few GPUs are free. */
        TOO_FEW_GPUS,
        /** Enough GPUs are free, but not enough of them on one node. */
        SCATTERED,
        /** GPUs are there, but CPU, memory or another resource is not. */
        OTHER_RESOURCE,
        /** No domain of the required topology level holds all members. */
        NO_DOMAIN
    }
}

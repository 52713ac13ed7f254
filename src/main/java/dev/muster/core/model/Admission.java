package dev.muster.core.model;

import java.util.List;

/**
 * The record of one admission, as it is stored on the job: where each podset goes and what it charges.
 *
 * @param version of the record's form, now 1
 * @param attempt which admission of this gang it is, from 1
 * @param admittedAt milliseconds since the epoch
 * @param podsets one for each podset of the gang, in its order
 * @param yieldsTo UIDs of gangs whose reservations it may delay, and to which it gives way in time
 */
public record Admission(int version, int attempt, long admittedAt, List<PodSetPlace> podsets, List<String> yieldsTo) {
    /** The version that this code writes. */
    public static final int VERSION = 1;

    public Admission {
        podsets = List.copyOf(podsets);
        yieldsTo = List.copyOf(yieldsTo);
    }

    /** One that gives way to nobody's reservation. */
    public Admission(int version, int attempt, long admittedAt, List<PodSetPlace> podsets) {
        this(version, attempt, admittedAt, podsets, List.of());
    }

    /**
     * Place and charge of one podset.
     *
     * @param podset its name
     * @param nodeClass whose quota is charged
     * @param perMember the charge of one member
     * @param nodes the nodes in rank order, with the members that each takes; the counts add up to the podset's count
     */
    public record PodSetPlace(String podset, String nodeClass, Amounts perMember, List<NodeSlots> nodes) {
        public PodSetPlace {
            nodes = List.copyOf(nodes);
        }

        /** Members placed. */
        public int count() {
            return nodes.stream().mapToInt(NodeSlots::members).sum();
        }

        /** The charge of all members. */
        public Amounts charge() {
            return perMember.times(count());
        }

        /** The node of the member with this rank, counted from 0; throws when there is no such rank. */
        public String nodeOfRank(int rank) {
            int before = 0;
            for (NodeSlots slots : nodes) {
                before += slots.members();
                if (rank < before) {
                    return slots.node();
                }
            }
            throw new IllegalArgumentException("podset " + podset + " has no rank " + rank + " among " + before);
        }
    }

    /** So many members, at least 1, on one node. */
    public record NodeSlots(String node, int members) {}
}

package dev.muster.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a pod: of any pod bound to a node, and of every pod of a managed job.
 *
 * @param node the node it is bound to; null while unbound
 * @param requests as the scheduler counts them, one pod slot included
 * @param phase where it is; an ended pod holds nothing
 * @param gated whether Muster's gate is still on it
 * @param onlyOurGate whether no other gate is on it
 * @param membership which gang it belongs to; null for foreign pods
 * @param grace how long it is given to end once it is told to, in milliseconds
 * @param report what it tells of itself
 */
public record PodFacts(
        String uid,
        String namespace,
        String name,
        @Nullable String node,
        Amounts requests,
        Phase phase,
        boolean gated,
        boolean onlyOurGate,
        @Nullable Membership membership,
        long grace,
        PodReport report) {
    /** One that tells nothing of itself. */
    public PodFacts(
            String uid,
            String namespace,
            String name,
            @Nullable String node,
            Amounts requests,
            Phase phase,
            boolean gated,
            boolean onlyOurGate,
            @Nullable Membership membership,
            long grace) {
        this(uid, namespace, name, node, requests, phase, gated, onlyOurGate, membership, grace, PodReport.NONE);
    }

    /** The same pod in another phase. */
    public PodFacts in(Phase other) {
        return new PodFacts(uid, namespace, name, node, requests, other, gated, onlyOurGate, membership, grace, report);
    }

    /** The same pod that tells something else. */
    public PodFacts telling(PodReport other) {
        return new PodFacts(uid, namespace, name, node, requests, phase, gated, onlyOurGate, membership, grace, other);
    }

    /** The same pod when it takes this. */
    public PodFacts asking(Amounts other) {
        return new PodFacts(uid, namespace, name, node, other, phase, gated, onlyOurGate, membership, grace, report);
    }

    /** Whether it takes room on a node. */
    public boolean holdsNode() {
        return node != null && phase != Phase.ENDED;
    }

    /** Whether it is on a node and is not about to leave it. */
    public boolean staysOnNode() {
        return holdsNode() && phase != Phase.STOPPING && phase != Phase.VANISHED;
    }

    /** Whether it has done its work. */
    public boolean hasEndedWell() {
        return phase == Phase.ENDED && report.trouble() == PodReport.Trouble.NONE;
    }

    /** A pod's life as far as it matters here. */
    public enum Phase {
        PENDING,
        RUNNING,
        READY,
        STOPPING,
        /** Its object was taken away before an end was seen, as by a forced deletion: it may go on for its grace. */
        VANISHED,
        ENDED
    }

    /**
     * Whose member a pod is: from its controller's UID, else from the stamps that it was given when placed.
     *
     * @param gangUid UID of the job
     * @param podset name of the podset
     * @param queue stamped queue; empty when it was not placed yet
     * @param nodeClass stamped node class; empty when it was not placed yet
     */
    public record Membership(String gangUid, String podset, String queue, String nodeClass) {}
}

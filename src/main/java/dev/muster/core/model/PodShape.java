package dev.muster.core.model;

import java.util.List;

/**
 * All of a member that decides where it fits: its requests as the scheduler counts them (one pod slot included), the
 * node terms of which one must hold (none means any node), and its tolerations. Equal shapes fit equally.
 */
public record PodShape(Amounts requests, List<NodeTerm> terms, List<Toleration> tolerations) {
    public PodShape {
        terms = List.copyOf(terms);
        tolerations = List.copyOf(tolerations);
    }

    /** Whether labels and name of the node are acceptable; room and taints are not looked at. */
    public boolean accepts(NodeFacts node) {
        return terms.isEmpty() || terms.stream().anyMatch(term -> term.accepts(node));
    }
}

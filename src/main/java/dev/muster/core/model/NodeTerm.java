package dev.muster.core.model;

import java.util.List;

/** Demands on one node that hold together: on its labels, and on its name ({@code names} empty means any name). */
public record NodeTerm(List<LabelDemand> labels, List<String> names) {
    public NodeTerm {
        labels = List.copyOf(labels);
        names = List.copyOf(names);
    }

    /** Whether the node meets all of it. */
    public boolean accepts(NodeFacts node) {
        return (names.isEmpty() || names.contains(node.name()))
                && labels.stream().allMatch(demand -> demand.accepts(node.labels()));
    }
}

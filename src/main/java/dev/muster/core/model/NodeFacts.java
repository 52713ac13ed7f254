package dev.muster.core.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a node.
 *
 * @param allocatable what its kubelet offers to pods
 * @param ready whether it reports Ready
 * @param cordoned whether it takes no new pods ({@code spec.unschedulable})
 * @param conditions types of the other conditions that are true
 */
public record NodeFacts(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        Amounts allocatable,
        boolean ready,
        boolean cordoned,
        Set<String> conditions) {
    /** One without other conditions. */
    public NodeFacts(
            String name,
            Map<String, String> labels,
            List<Taint> taints,
            Amounts allocatable,
            boolean ready,
            boolean cordoned) {
        this(name, labels, taints, allocatable, ready, cordoned, Set.of());
    }

    public NodeFacts {
        conditions = Set.copyOf(conditions);
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }
}

package dev.muster.core.model;

import java.util.List;
import java.util.Map;

/**
 * What is known of a node.
 *
 * @param allocatable what its kubelet offers to pods
 * @param ready whether it reports Ready
 * @param cordoned whether it takes no new pods ({@code spec.unschedulable})
 */
public record NodeFacts(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        Amounts allocatable,
        boolean ready,
        boolean cordoned) {
    public NodeFacts {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }
}

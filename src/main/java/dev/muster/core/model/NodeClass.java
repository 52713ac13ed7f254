package dev.muster.core.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * GPUs that are interchangeable for policy: the nodes that carry all labels of the selector.
 *
 * @param selector labels that a node must carry; not empty
 * @param taint the taint that its nodes should carry; null when none is demanded
 * @param tolerations given to the pods that are placed here
 * @param resource the extended resource that is its GPU, such as {@code nvidia.com/gpu}
 * @param facts declared facts by name: cuda, driver, gpu-memory, compute, product, arch
 * @param topology label keys of the levels, widest first
 * @param scaling nodes that do not exist yet; null when the class does not grow
 */
public record NodeClass(
        String name,
        Map<String, String> selector,
        @Nullable Taint taint,
        List<Toleration> tolerations,
        String resource,
        Map<String, String> facts,
        List<String> topology,
        @Nullable Scaling scaling) {
    public NodeClass {
        selector = Map.copyOf(selector);
        tolerations = List.copyOf(tolerations);
        facts = Map.copyOf(facts);
        topology = List.copyOf(topology);
    }

    /** Whether the node's labels make it one of this class. */
    public boolean selects(NodeFacts node) {
        return node.labels().entrySet().containsAll(selector.entrySet());
    }

    /**
     * How far the class can grow.
     *
     * @param maxNodes upper bound of its nodes; empty means none
     * @param shape what a new node offers
     * @param leadTime milliseconds until a new node is there
     */
    public record Scaling(OptionalInt maxNodes, Amounts shape, long leadTime) {}
}

package dev.muster.core.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
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
 * @param sharing how many pods may use one GPU at a time
 * @param purposes of the queues that may use it; empty means all
 * @param readyCondition a condition that its nodes must have for members to come; empty when none is demanded
 * @param devices how its GPUs are handed out by claims
 */
public record NodeClass(
        String name,
        Map<String, String> selector,
        @Nullable Taint taint,
        List<Toleration> tolerations,
        String resource,
        Map<String, String> facts,
        List<String> topology,
        @Nullable Scaling scaling,
        Sharing sharing,
        Set<Queue.Purpose> purposes,
        String readyCondition,
        Devices devices) {
    /** One whose GPUs nobody asks for by claims. */
    public NodeClass(
            String name,
            Map<String, String> selector,
            @Nullable Taint taint,
            List<Toleration> tolerations,
            String resource,
            Map<String, String> facts,
            List<String> topology,
            @Nullable Scaling scaling,
            Sharing sharing,
            Set<Queue.Purpose> purposes,
            String readyCondition) {
        this(
                name,
                selector,
                taint,
                tolerations,
                resource,
                facts,
                topology,
                scaling,
                sharing,
                purposes,
                readyCondition,
                Devices.NONE);
    }

    /** One of whole GPUs, for all queues. */
    public NodeClass(
            String name,
            Map<String, String> selector,
            @Nullable Taint taint,
            List<Toleration> tolerations,
            String resource,
            Map<String, String> facts,
            List<String> topology,
            @Nullable Scaling scaling) {
        this(name, selector, taint, tolerations, resource, facts, topology, scaling, Sharing.EXCLUSIVE, Set.of(), "");
    }

    public NodeClass {
        selector = Map.copyOf(selector);
        tolerations = List.copyOf(tolerations);
        facts = Map.copyOf(facts);
        topology = List.copyOf(topology);
        purposes = Set.copyOf(purposes);
    }

    /** Whether the node's labels make it one of this class. */
    public boolean selects(NodeFacts node) {
        return node.labels().entrySet().containsAll(selector.entrySet());
    }

    /** What one of its nodes offers: devices that are handed out by claims do not stand in what the node says. */
    public Amounts offered(Amounts allocatable) {
        return devices.perNode() > 0 && allocatable.get(resource) == 0
                ? allocatable.plus(Amounts.of(resource, devices.perNode()))
                : allocatable;
    }

    /** Whether a queue of this purpose may use it. */
    public boolean serves(Queue.Purpose purpose) {
        return purposes.isEmpty() || purposes.contains(purpose);
    }

    /** How pods share one GPU. */
    public enum Sharing {
        /** One pod has the whole GPU. */
        EXCLUSIVE,
        /** Pods take turns; nothing is isolated. */
        TIME_SLICE,
        /** The GPU is cut into isolated parts. */
        MIG,
        /** Pods run at the same time through one server process. */
        MPS;

        /** Whether two units may be of the same GPU, so that more than one in a member means nothing. */
        public boolean isShared() {
            return this == TIME_SLICE || this == MPS;
        }
    }

    /**
     * GPUs that are handed out by claims.
     *
     * @param classes names of the DeviceClasses
     * @param perNode how many a node has; 0 when there are no such classes
     */
    public record Devices(Set<String> classes, long perNode) {
        /** None. */
        public static final Devices NONE = new Devices(Set.of(), 0);

        public Devices {
            classes = Set.copyOf(classes);
        }
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

package dev.muster.sim;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A made-up fleet of equal nodes of one class, and its queues.
 *
 * @param nodes how many, at least 1
 * @param gpusPerNode GPUs of each
 * @param queues in any order; quota is of class {@link #CLASS} and resource {@link #GPU}
 */
public record Cell(int nodes, int gpusPerNode, List<Queue> queues) {
    /** The name of its only node class. */
    public static final String CLASS = "gpu";
    /** The resource that is its GPU. */
    public static final String GPU = "nvidia.com/gpu";

    public Cell {
        queues = List.copyOf(queues);
    }

    /** GPUs of all nodes. */
    public long gpus() {
        return (long) nodes * gpusPerNode;
    }

    /** A queue that may borrow and lend without limit and takes gangs from everywhere. */
    public static Queue queue(String name, @Nullable String parent, long nominal) {
        return new Queue(
                name,
                parent,
                name + "-lead",
                1,
                Set.of(),
                List.of(new Queue.Quota(CLASS, GPU, nominal, OptionalLong.empty(), OptionalLong.empty(), 0)),
                Queue.Limits.NONE,
                Queue.Preemption.DEFAULT,
                Queue.Stop.NONE,
                Queue.Unspecific.ALLOW);
    }

    NodeClass nodeClass() {
        return new NodeClass(CLASS, Map.of("gpu", CLASS), null, List.of(), GPU, Map.of(), List.of(), null);
    }

    List<NodeFacts> nodeFacts() {
        List<NodeFacts> facts = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            facts.add(new NodeFacts(
                    String.format(Locale.ROOT, "node-%04d", i),
                    Map.of("gpu", CLASS),
                    List.of(),
                    Amounts.of(Map.of(GPU, (long) gpusPerNode, Amounts.PODS, Math.max(110L, gpusPerNode))),
                    true,
                    false));
        }
        return facts;
    }
}

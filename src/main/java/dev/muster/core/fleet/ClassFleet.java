package dev.muster.core.fleet;

import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Toleration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of one class in the order of their names, found by how many GPUs are free on them.
 *
 * <p>Buckets are bit sets over the nodes' ranks, one for each number of free GPUs; nodes that take no new members are in
 * none. Which nodes a pod shape accepts (labels, names, taints) is another bit set, kept per filter. Moving a node costs
 * O(1); a change of membership renumbers the class, O(n log n), once before the next search.
 */
final class ClassFleet {
    private final List<FleetNode> ranked = new ArrayList<>();
    private final Map<Filter, BitSet> accepted = new HashMap<>();
    private List<BitSet> byFree = new ArrayList<>();
    private boolean renumber;
    private long freeGpus;
    final NodeClass nodeClass;
    final int gpu;

    /** What of a pod shape decides which nodes accept it. */
    private record Filter(List<NodeTerm> terms, List<Toleration> tolerations) {}

    ClassFleet(NodeClass nodeClass, int gpu) {
        this.nodeClass = nodeClass;
        this.gpu = gpu;
    }

    void add(FleetNode node) {
        node.home = this;
        ranked.add(node);
        renumber = true;
    }

    void remove(FleetNode node) {
        node.home = null;
        ranked.remove(node);
        renumber = true;
    }

    /** Free GPUs on usable nodes. */
    long freeGpus() {
        settle();
        return freeGpus;
    }

    /** All nodes, in the order of names. */
    List<FleetNode> nodes() {
        settle();
        return ranked;
    }

    /** Number of buckets: one more than the most free GPUs of any node. */
    int buckets() {
        settle();
        return byFree.size();
    }

    /** Ranks of the usable nodes with exactly so many free GPUs. */
    BitSet bucket(int free) {
        return byFree.get(free);
    }

    /** Ranks of the nodes whose labels, name and taints suit the shape, with what the class tolerates for it. */
    BitSet accepted(PodShape shape) {
        settle();
        return accepted.computeIfAbsent(new Filter(shape.terms(), shape.tolerations()), filter -> {
            BitSet ranks = new BitSet(ranked.size());
            ranked.forEach(node -> ranks.set(node.rank, suits(filter, node.known())));
            return ranks;
        });
    }

    /** The node has new facts, of which labels or taints may be new too. */
    void refresh(FleetNode node) {
        if (!renumber) {
            accepted.forEach((filter, ranks) -> ranks.set(node.rank, suits(filter, node.known())));
            rebucket(node);
        }
    }

    /** The node's bookings or allocatable changed. */
    void rebucket(FleetNode node) {
        if (renumber) {
            return;
        }
        int free = node.isUsable() ? (int) Math.min(node.free(gpu), Integer.MAX_VALUE - 1) : -1;
        if (free == node.bucket) {
            return;
        }
        if (node.bucket >= 0) {
            byFree.get(node.bucket).clear(node.rank);
            freeGpus -= node.bucket;
        }
        if (free >= 0) {
            while (byFree.size() <= free) {
                byFree.add(new BitSet());
            }
            byFree.get(free).set(node.rank);
            freeGpus += free;
        }
        node.bucket = free;
    }

    private void settle() {
        if (!renumber) {
            return;
        }
        renumber = false;
        ranked.sort(Comparator.comparing(node -> node.name));
        accepted.clear();
        byFree = new ArrayList<>();
        byFree.add(new BitSet());
        freeGpus = 0;
        for (int rank = 0; rank < ranked.size(); rank++) {
            FleetNode node = ranked.get(rank);
            node.rank = rank;
            node.bucket = -1;
            rebucket(node);
        }
    }

    private boolean suits(Filter filter, NodeFacts node) {
        return (filter.terms.isEmpty() || filter.terms.stream().anyMatch(term -> term.accepts(node)))
                && node.taints().stream()
                        .filter(taint -> taint.effect().isHard())
                        .allMatch(taint -> filter.tolerations.stream().anyMatch(t -> t.tolerates(taint))
                                || nodeClass.tolerations().stream().anyMatch(t -> t.tolerates(taint)));
    }
}

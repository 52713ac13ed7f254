package dev.muster.core.fleet;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Toleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one class in the order of their names, found by how many GPUs are free on them.
 *
 * <p>There is an index for each view. Which nodes a pod shape accepts (labels, names, taints) is a bit set over the nodes'
 * ranks, kept per filter. Moving a node costs O(1); a change of membership renumbers the class, O(n log n), once before the
 * next search.
 */
final class ClassFleet {
    private final List<FleetNode> ranked = new ArrayList<>();
    private final Map<Filter, BitSet> accepted = new HashMap<>();
    private final Map<String, TreeMap<String, BitSet>> domains = new HashMap<>();
    private final List<FreeIndex> indexes = new ArrayList<>();
    private final ResourceIndex resources;
    private boolean renumber;
    private @Nullable Amounts size;
    /** The node that size is measured on; null when it is not known. */
    private @Nullable FleetNode largest;
    /** The nodes that the last outlook has shown otherwise than they are now. */
    private final Set<FleetNode> shown = new HashSet<>();

    final NodeClass nodeClass;
    final int gpu;

    /** What of a pod shape decides which nodes accept it. */
    private record Filter(List<NodeTerm> terms, List<Toleration> tolerations) {}

    ClassFleet(NodeClass nodeClass, ResourceIndex resources) {
        this.nodeClass = nodeClass;
        this.resources = resources;
        gpu = resources.number(nodeClass.resource());
        for (View view : View.values()) {
            indexes.add(new FreeIndex(view, gpu));
        }
    }

    /** What a node of the class offers, to measure pods by: the declared shape, else the largest node, else nothing. */
    Amounts size() {
        if (nodeClass.scaling() != null) {
            return nodeClass.scaling().shape();
        }
        if (size == null) {
            largest = largest != null
                    ? largest
                    : ranked.stream().min(this::compareBySize).orElse(null);
            size = largest == null ? Amounts.NONE : resources.amounts(largest.declared);
        }
        return size;
    }

    private int compareBySize(FleetNode one, FleetNode other) {
        int bySize = Long.compare(Vectors.at(other.declared, gpu), Vectors.at(one.declared, gpu));
        return bySize != 0 ? bySize : one.name.compareTo(other.name);
    }

    /** The node may offer more than before; what it ever offered never falls while it is here. */
    private void measure(FleetNode node) {
        if (largest == null || compareBySize(node, largest) <= 0) {
            largest = largest == null ? null : node;
            size = null;
        }
    }

    void add(FleetNode node) {
        measure(node);
        node.home = this;
        node.then = null;
        ranked.add(node);
        renumber = true;
    }

    void remove(FleetNode node) {
        if (node == largest) {
            largest = null;
            size = null;
        }
        node.home = null;
        node.then = null;
        shown.remove(node);
        ranked.remove(node);
        renumber = true;
    }

    /** The nodes by free GPUs under a view. */
    FreeIndex index(View view) {
        settle();
        return indexes.get(view.ordinal());
    }

    /** All nodes, in the order of names. */
    List<FleetNode> nodes() {
        settle();
        return ranked;
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

    /** The domains of a topology level, by the value of its label: the ranks of their nodes. Nodes without it are in none. */
    TreeMap<String, BitSet> domains(String level) {
        settle();
        return domains.computeIfAbsent(level, key -> {
            TreeMap<String, BitSet> byValue = new TreeMap<>();
            for (FleetNode node : ranked) {
                String value = node.known().labels().get(key);
                if (value != null) {
                    byValue.computeIfAbsent(value, v -> new BitSet()).set(node.rank);
                }
            }
            return byValue;
        });
    }

    /** The node has new facts, of which taints may be new too. */
    void refresh(FleetNode node, boolean relabelled) {
        measure(node);
        if (!renumber) {
            if (relabelled) {
                domains.clear();
            }
            accepted.forEach((filter, ranks) -> ranks.set(node.rank, suits(filter, node.known())));
            rebucket(node);
        }
    }

    /** The node's bookings or allocatable changed. */
    void rebucket(FleetNode node) {
        if (!renumber) {
            indexes.forEach(index -> index.refresh(node));
        }
    }

    /** An outlook begins: every node is as it is now. */
    void showNow() {
        settle();
        shown.forEach(node -> {
            node.then = null;
            indexes.get(View.THEN.ordinal()).refresh(node);
        });
        shown.clear();
    }

    /** The outlook sees a node used so. */
    void show(FleetNode node, long[] used) {
        settle();
        node.then = used;
        shown.add(node);
        indexes.get(View.THEN.ordinal()).refresh(node);
    }

    private void settle() {
        if (!renumber) {
            return;
        }
        renumber = false;
        ranked.sort(Comparator.comparing(node -> node.name));
        accepted.clear();
        domains.clear();
        indexes.forEach(FreeIndex::clear);
        for (int rank = 0; rank < ranked.size(); rank++) {
            FleetNode node = ranked.get(rank);
            node.rank = rank;
            Arrays.fill(node.bucket, -1);
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

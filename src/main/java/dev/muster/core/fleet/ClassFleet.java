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
import java.util.List;
import java.util.Map;
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
            size = ranked.stream()
                    .min(Comparator.comparingLong((FleetNode node) -> -Vectors.at(node.declared, gpu))
                            .thenComparing(node -> node.name))
                    .map(node -> resources.amounts(node.declared))
                    .orElse(Amounts.NONE);
        }
        return size;
    }

    void add(FleetNode node) {
        size = null;
        node.home = this;
        ranked.add(node);
        renumber = true;
    }

    void remove(FleetNode node) {
        size = null;
        node.home = null;
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

    /** The node has new facts, of which labels or taints may be new too. */
    void refresh(FleetNode node) {
        size = null;
        if (!renumber) {
            domains.clear();
            accepted.forEach((filter, ranks) -> ranks.set(node.rank, suits(filter, node.known())));
            rebucket(node);
        }
    }

    /** The node's bookings or allocatable changed. */
    void rebucket(FleetNode node) {
        if (!renumber) {
            indexes.get(View.NOW.ordinal()).refresh(node);
            indexes.get(View.LATER.ordinal()).refresh(node);
        }
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

package dev.muster.core.model;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Nodes that are not as a node class wants them, by name, sorted.
 *
 * @param unclassified they offer the class's GPU, but no class selects them
 * @param ambiguous the class selects them, and others do too
 * @param untainted the class selects them, but they lack the taint that it demands
 */
public record OddNodes(List<String> unclassified, List<String> ambiguous, List<String> untainted) {
    public OddNodes {
        unclassified = List.copyOf(unclassified);
        ambiguous = List.copyOf(ambiguous);
        untainted = List.copyOf(untainted);
    }

    /** Those of one class among all classes and nodes. */
    public static OddNodes of(NodeClass nodeClass, Collection<NodeClass> classes, Collection<NodeFacts> nodes) {
        Taint taint = nodeClass.taint();
        return new OddNodes(
                names(
                        nodes,
                        node -> node.allocatable().get(nodeClass.resource()) > 0
                                && classes.stream().noneMatch(one -> one.selects(node))),
                names(
                        nodes,
                        node -> nodeClass.selects(node)
                                && classes.stream()
                                                .filter(one -> one.selects(node))
                                                .count()
                                        > 1),
                names(
                        nodes,
                        node -> taint != null
                                && nodeClass.selects(node)
                                && !node.taints().contains(taint)));
    }

    private static List<String> names(Collection<NodeFacts> nodes, Predicate<NodeFacts> chosen) {
        return nodes.stream().filter(chosen).map(NodeFacts::name).sorted().toList();
    }
}

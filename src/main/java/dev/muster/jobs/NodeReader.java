package dev.muster.jobs;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Taint;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a node. What it offers is rounded down; an amount that cannot be read is not offered. */
public final class NodeReader {
    private NodeReader() {}

    /** What is known of the node. Never throws. */
    public static NodeFacts read(Node node) {
        NodeSpec spec = node.getSpec() == null ? new NodeSpec() : node.getSpec();
        NodeStatus status = node.getStatus() == null ? new NodeStatus() : node.getStatus();
        Set<String> isTrue = Present.in(status.getConditions()).stream()
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(NodeCondition::getType)
                .collect(Collectors.toCollection(TreeSet::new));
        boolean ready = isTrue.remove("Ready");
        return new NodeFacts(
                node.getMetadata().getName() == null ? "" : node.getMetadata().getName(),
                JobMarks.labels(node.getMetadata()),
                taints(spec),
                offered(status.getAllocatable()),
                ready,
                Boolean.TRUE.equals(spec.getUnschedulable()),
                isTrue);
    }

    private static List<Taint> taints(NodeSpec spec) {
        List<Taint> taints = new ArrayList<>();
        if (spec.getTaints() != null) {
            spec.getTaints().forEach(given -> {
                Taint.Effect effect = PodShapes.effect(given.getEffect());
                // an effect of a newer Kubernetes counts as the hardest known one: better to wait than to be evicted
                taints.add(new Taint(
                        given.getKey(),
                        given.getValue() == null ? "" : given.getValue(),
                        effect == null ? Taint.Effect.NO_EXECUTE : effect));
            });
        }
        return taints;
    }

    /** Amounts that are offered. */
    static Amounts offered(@Nullable Map<String, Quantity> quantities) {
        TreeMap<String, Long> read = new TreeMap<>();
        if (quantities != null) {
            quantities.forEach((resource, quantity) ->
                    read.put(resource, Quantities.offer(resource, quantity).amount()));
        }
        return new Amounts(read);
    }
}

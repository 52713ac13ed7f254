package dev.muster.core.share;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pairs of node class and resource that quota is counted in, numbered from 0 in the order of class, then resource.
 * Also numbers the resources, because share adds the classes of one resource.
 */
public final class Dimensions {
    private final List<Dimension> all;
    private final Map<Dimension, Integer> numbers = new HashMap<>();
    private final int[] resourceOf;
    private final int resources;

    private Dimensions(Collection<Dimension> dimensions) {
        all = List.copyOf(new TreeSet<>(dimensions));
        resourceOf = new int[all.size()];
        Map<String, Integer> byName = new TreeMap<>();
        all.forEach(dimension -> byName.put(dimension.resource(), 0));
        int next = 0;
        for (Map.Entry<String, Integer> resource : byName.entrySet()) {
            resource.setValue(next++);
        }
        resources = next;
        for (int dim = 0; dim < all.size(); dim++) {
            numbers.put(all.get(dim), dim);
            resourceOf[dim] = byName.getOrDefault(all.get(dim).resource(), -1);
        }
    }

    /** All that queues name in a quota, and the GPU of each class; {@code gpus} by the name of the class. */
    public static Dimensions of(Collection<Queue> queues, Map<String, String> gpus) {
        Collection<Dimension> all = new TreeSet<>();
        queues.forEach(queue ->
                queue.quotas().forEach(quota -> all.add(new Dimension(quota.nodeClass(), quota.resource()))));
        gpus.forEach((nodeClass, gpu) -> all.add(new Dimension(nodeClass, gpu)));
        return of(all);
    }

    /** One dimension. */
    public record Dimension(String nodeClass, String resource) implements Comparable<Dimension> {
        @Override
        public int compareTo(Dimension other) {
            int byClass = nodeClass.compareTo(other.nodeClass);
            return byClass != 0 ? byClass : resource.compareTo(other.resource);
        }

        @Override
        public String toString() {
            return resource + " of " + nodeClass;
        }
    }

    /** Numbers these dimensions; duplicates count once, and the order of the collection does not matter. */
    public static Dimensions of(Collection<Dimension> dimensions) {
        return new Dimensions(dimensions);
    }

    /** Every resource in every class. */
    public static Dimensions of(Collection<String> nodeClasses, Collection<String> resources) {
        List<Dimension> pairs = new ArrayList<>();
        nodeClasses.forEach(nodeClass -> resources.forEach(resource -> pairs.add(new Dimension(nodeClass, resource))));
        return new Dimensions(pairs);
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    /** The dimension with this number. */
    public Dimension get(int dim) {
        return all.get(dim);
    }

    /** The number of a dimension; -1 when it is not among them. */
    public int indexOf(String nodeClass, String resource) {
        return numbers.getOrDefault(new Dimension(nodeClass, resource), -1);
    }

    /** How many different resources there are. */
    int resources() {
        return resources;
    }

    /** The number of the resource of a dimension, from 0 in the order of names. */
    int resourceOf(int dim) {
        return resourceOf[dim];
    }
}

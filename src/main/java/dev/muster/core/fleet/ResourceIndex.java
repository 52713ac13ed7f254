package dev.muster.core.fleet;

import dev.muster.core.model.Amounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers for resource names, so that amounts become arrays. A name keeps its number for ever; an array that is shorter
 * than the index holds 0 for the rest.
 */
public final class ResourceIndex {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** The number of a resource, given now if it is new. */
    public int number(String resource) {
        Integer known = numbers.putIfAbsent(resource, names.size());
        if (known != null) {
            return known;
        }
        names.add(resource);
        return names.size() - 1;
    }

    /** The same for amounts by node. */
    public Map<String, long[]> vectors(Map<String, Amounts> byNode) {
        Map<String, long[]> vectors = new TreeMap<>();
        byNode.forEach((node, amounts) -> vectors.put(node, vector(amounts)));
        return vectors;
    }

    /** How many resources have numbers. */
    public int size() {
        return names.size();
    }

    /** The name behind a number. */
    public String name(int number) {
        return names.get(number);
    }

    /** The amounts of an array over these numbers. */
    public Amounts amounts(long[] vector) {
        Map<String, Long> amounts = new HashMap<>();
        for (int i = 0; i < vector.length; i++) {
            amounts.put(names.get(i), vector[i]);
        }
        return Amounts.of(amounts);
    }

    /** The amounts as an array over the numbers known so far. */
    public long[] vector(Amounts amounts) {
        amounts.byResource().keySet().forEach(this::number);
        long[] vector = new long[names.size()];
        amounts.byResource().forEach((resource, amount) -> vector[number(resource)] = amount);
        return vector;
    }
}

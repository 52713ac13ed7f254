package dev.muster.core.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of resources by name: {@code cpu} in thousandths of a core, {@code memory} and storage in bytes, everything
 * else in whole units. Never negative; a resource that is absent counts as 0; entries of 0 are dropped, so equal amounts
 * are equal values. Sums and products are exact: what does not fit a {@code long} throws {@link ArithmeticException}.
 */
public record Amounts(SortedMap<String, Long> byResource) {
    /** Nothing of anything. */
    public static final Amounts NONE = new Amounts(new TreeMap<>());

    /** The largest single amount that a reader accepts: 2^60, about 1.15 * 10^18. Larger ones are refused, never wrapped. */
    public static final long LARGEST = 1L << 60;

    /** The name of CPU, counted in thousandths of a core. */
    public static final String CPU = "cpu";
    /** The name of memory, counted in bytes. */
    public static final String MEMORY = "memory";
    /** The name of pod slots; every member takes one. */
    public static final String PODS = "pods";

    public Amounts {
        TreeMap<String, Long> kept = new TreeMap<>();
        byResource.forEach((resource, amount) -> {
            if (amount < 0) {
                throw new IllegalArgumentException("the amount of " + resource + " is negative: " + amount);
            }
            if (amount > 0) {
                kept.put(resource, amount);
            }
        });
        byResource = Collections.unmodifiableSortedMap(kept);
    }

    /** The amounts of a map in any order. */
    public static Amounts of(Map<String, Long> amounts) {
        return amounts.isEmpty() ? NONE : new Amounts(new TreeMap<>(amounts));
    }

    /** One resource. */
    public static Amounts of(String resource, long amount) {
        return of(Map.of(resource, amount));
    }

    /** Whether a resource is a device: extended resources have a domain in their name. */
    public static boolean isDevice(String resource) {
        return resource.indexOf('/') >= 0;
    }

    /** How much of one resource; 0 when absent. */
    public long get(String resource) {
        Long amount = byResource.get(resource);
        return amount == null ? 0 : amount;
    }

    /** Whether nothing is in it. */
    public boolean isNone() {
        return byResource.isEmpty();
    }

    /** The sum, resource by resource. */
    public Amounts plus(Amounts other) {
        if (other.isNone()) {
            return this;
        }
        TreeMap<String, Long> sum = new TreeMap<>(byResource);
        other.byResource.forEach((resource, amount) -> sum.merge(resource, amount, Math::addExact));
        return new Amounts(sum);
    }

    /** The difference, resource by resource, never below 0. */
    public Amounts minusToZero(Amounts other) {
        TreeMap<String, Long> rest = new TreeMap<>(byResource);
        other.byResource.forEach((resource, amount) ->
                rest.computeIfPresent(resource, (name, have) -> Math.max(0, Math.subtractExact(have, amount))));
        return new Amounts(rest);
    }

    /** So many times as much; {@code factor} is at least 0. */
    public Amounts times(long factor) {
        if (factor == 1) {
            return this;
        }
        TreeMap<String, Long> product = new TreeMap<>();
        byResource.forEach((resource, amount) -> product.put(resource, Math.multiplyExact(amount, factor)));
        return new Amounts(product);
    }

    /** The larger of both, resource by resource. */
    public Amounts max(Amounts other) {
        TreeMap<String, Long> larger = new TreeMap<>(byResource);
        other.byResource.forEach((resource, amount) -> larger.merge(resource, amount, Math::max));
        return new Amounts(larger);
    }
}

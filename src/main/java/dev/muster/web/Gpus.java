package dev.muster.web;

import dev.muster.core.model.Amounts;
import java.util.Map;
import java.util.Set;

/**
 * Which resources are GPUs: those that some node class names as its own. Other extended resources, such as network
 * cards, are none.
 */
record Gpus(Set<String> resources) {
    Gpus {
        resources = Set.copyOf(resources);
    }

    /** How many GPUs are in the amounts, in whole devices. */
    long in(Amounts amounts) {
        return amounts.byResource().entrySet().stream()
                .filter(entry -> resources.contains(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .reduce(0, Math::addExact);
    }
}

package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.LimitRange;
import java.util.List;
import java.util.OptionalInt;

/** Priorities and limit ranges that are stored in the local cluster. */
final class StoreSurroundings implements Surroundings {
    private final LocalStore store;

    StoreSurroundings(LocalStore store) {
        this.store = store;
    }

    @Override
    public OptionalInt priority(String priorityClassName) {
        return store.get(new LocalStore.Key("PriorityClass", "", priorityClassName))
                .map(priority -> OptionalInt.of(priority.path("value").asInt()))
                .orElse(OptionalInt.empty());
    }

    @Override
    public int defaultPriority() {
        return store.list("PriorityClass").stream()
                .filter(priority -> priority.path("globalDefault").asBoolean())
                .mapToInt(priority -> priority.path("value").asInt())
                .findFirst()
                .orElse(0);
    }

    @Override
    public List<LimitRange> limitRanges(String namespace) {
        return store.list("LimitRange").stream()
                .filter(range ->
                        range.path("metadata").path("namespace").asText().equals(namespace))
                .map((ObjectNode range) -> Models.read(range, LimitRange.class))
                .toList();
    }
}

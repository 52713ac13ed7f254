package dev.muster.jobs;

import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** What the reading of a job depends on besides the job. Answers are quick and come from memory. */
public interface Surroundings {
    /** Value of a PriorityClass; empty when there is none of this name. */
    OptionalInt priority(String priorityClassName);

    /** Priority of a job that names no class. */
    default int defaultPriority() {
        return 0;
    }

    /** LimitRanges of a namespace, by name. */
    List<LimitRange> limitRanges(String namespace);

    /** A template of claims; empty when there is none of this name. */
    default Optional<ResourceClaimTemplate> claimTemplate(String namespace, String name) {
        return Optional.empty();
    }

    /** Node classes whose GPUs a DeviceClass hands out, and the resource that counts them, by name; empty for none. */
    default SortedMap<String, String> nodeClassesOf(String deviceClass) {
        return Collections.emptySortedMap();
    }

    /** What a RuntimeClass adds to each pod; empty when unknown. */
    default Map<String, Quantity> overhead(String runtimeClassName) {
        return Map.of();
    }
}

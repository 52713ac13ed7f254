package dev.muster.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Muster says about a queue.
 *
 * @param observedGeneration the generation of the spec that this status speaks of
 * @param waiting gangs that wait in this queue itself, not in its children
 * @param admitted gangs of this queue itself that hold quota
 * @param usage what is used of each quota, children included
 * @param conditions at most one of each type; {@code Ready} is false with the cause when gangs cannot be admitted
 */
@SchemaCustomizer(
        value = SchemaPatch.class,
        input = "properties: {conditions: " + Texts.CONDITIONS
                + ", usage: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [nodeClass, resource]}}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TeamQueueStatus(
        @JsonPropertyDescription("The generation of the spec that this status speaks of.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Gangs that wait in this queue itself.") @PrinterColumn(name = "Waiting") @Nullable
        Integer waiting,

        @JsonPropertyDescription("Gangs of this queue itself that hold quota.")
        @PrinterColumn(name = "Admitted")
        @Nullable
        Integer admitted,

        @JsonPropertyDescription("What is used of each quota, children included.") @Size(max = 32)
        List<Usage> usage,

        @Size(max = 16) List<Condition> conditions) {

    /** Gives absent lists as empty ones. */
    public TeamQueueStatus(
            @Nullable Long observedGeneration,
            @Nullable Integer waiting,
            @Nullable Integer admitted,
            @Nullable List<Usage> usage,
            @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.waiting = waiting;
        this.admitted = admitted;
        this.usage = usage == null ? List.of() : List.copyOf(usage);
        this.conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /**
     * What is used of one quota.
     *
     * @param nodeClass name of the node class
     * @param resource name of the resource
     * @param nominal what is guaranteed
     * @param used what running and admitted gangs are charged; above nominal means borrowed
     */
    @SchemaCustomizer(
            value = SchemaPatch.class,
            input = "properties: {nominal: " + Texts.QUANTITY + ", used: " + Texts.QUANTITY + "}")
    public record Usage(
            @Required @Size(min = 1, max = 63) String nodeClass,
            @Required @Size(min = 1, max = 253) String resource,
            @Required Quantity nominal,
            @Required Quantity used) {}
}

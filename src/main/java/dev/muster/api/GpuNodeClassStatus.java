package dev.muster.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Muster says about a node class.
 *
 * @param observedGeneration the generation of the spec that this status speaks of
 * @param nodes nodes that match the selector
 * @param readyNodes those of them that can take pods
 * @param gpus GPUs of the class
 * @param missingNodes nodes that do not exist yet and that waiting gangs want, of a class that grows
 * @param unclassified GPU nodes that are in no class
 * @param ambiguous nodes of this class that match another class too
 * @param untainted nodes of this class without the taint that it demands
 * @param conditions at most one of each type
 */
@SchemaCustomizer(value = SchemaPatch.class, input = "properties: {conditions: " + Texts.CONDITIONS + "}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GpuNodeClassStatus(
        @JsonPropertyDescription("The generation of the spec that this status speaks of.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Nodes that match the selector.") @PrinterColumn(name = "Nodes") @Nullable
        Integer nodes,

        @JsonPropertyDescription("Nodes of the class that can take pods.")
        @PrinterColumn(name = "Ready-Nodes")
        @Nullable
        Integer readyNodes,

        @JsonPropertyDescription("GPUs of the class.") @Nullable
        Gpus gpus,

        @JsonPropertyDescription(
                "Nodes that do not exist yet and that waiting gangs want: those that only new nodes can serve.")
        @PrinterColumn(name = "Missing-Nodes", priority = 1)
        @Nullable
        Integer missingNodes,

        @JsonPropertyDescription("GPU nodes that are in no class.") @Nullable
        NodeList unclassified,

        @JsonPropertyDescription("Nodes of this class that match another class too.") @Nullable
        NodeList ambiguous,

        @JsonPropertyDescription("Nodes of this class without the taint that it demands.") @Nullable
        NodeList untainted,

        @Size(max = 16) List<Condition> conditions) {

    /** Gives an absent list as an empty one. */
    public GpuNodeClassStatus(
            @Nullable Long observedGeneration,
            @Nullable Integer nodes,
            @Nullable Integer readyNodes,
            @Nullable Gpus gpus,
            @Nullable Integer missingNodes,
            @Nullable NodeList unclassified,
            @Nullable NodeList ambiguous,
            @Nullable NodeList untainted,
            @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.nodes = nodes;
        this.readyNodes = readyNodes;
        this.gpus = gpus;
        this.missingNodes = missingNodes;
        this.unclassified = unclassified;
        this.ambiguous = ambiguous;
        this.untainted = untainted;
        this.conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /**
     * GPUs of a class.
     *
     * @param total what its ready nodes offer
     * @param used what pods hold, those that Muster does not manage included
     */
    public record Gpus(
            @Required @PrinterColumn(name = "GPUs") Long total,
            @Required @PrinterColumn(name = "Used") Long used) {}

    /**
     * How many nodes, and the names of the first of them.
     *
     * @param count all of them
     * @param names the first in alphabetical order, at most {@link #MOST_NAMES}
     */
    public record NodeList(
            @Required Integer count,
            @Size(max = NodeList.MOST_NAMES) List<@Size(max = 253) String> names) {
        /** How many names are listed. */
        public static final int MOST_NAMES = 16;

        /** Gives an absent list as an empty one. */
        public NodeList(Integer count, @Nullable List<String> names) {
            this.count = count;
            this.names = names == null ? List.of() : List.copyOf(names);
        }
    }
}

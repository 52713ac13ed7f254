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
 * @param reservations gangs to which time and place are promised, in rank order
 * @param conditions at most one of each type
 */
@SchemaCustomizer(
        value = SchemaPatch.class,
        input = "properties: {conditions: " + Texts.CONDITIONS
                + ", reservations: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [rank]}}")
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

        @JsonPropertyDescription("Gangs to which time and place are promised, in rank order.") @Size(max = 64)
        List<Reserved> reservations,

        @Size(max = 16) List<Condition> conditions) {

    /** Gives absent lists as empty ones. */
    public GpuNodeClassStatus(
            @Nullable Long observedGeneration,
            @Nullable Integer nodes,
            @Nullable Integer readyNodes,
            @Nullable Gpus gpus,
            @Nullable Integer missingNodes,
            @Nullable NodeList unclassified,
            @Nullable NodeList ambiguous,
            @Nullable NodeList untainted,
            @Nullable List<Reserved> reservations,
            @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.nodes = nodes;
        this.readyNodes = readyNodes;
        this.gpus = gpus;
        this.missingNodes = missingNodes;
        this.unclassified = unclassified;
        this.ambiguous = ambiguous;
        this.untainted = untainted;
        this.reservations = reservations == null ? List.of() : List.copyOf(reservations);
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

    /**
     * A promise to one waiting gang. Muster goes on from it after a restart.
     *
     * @param rank from 1
     * @param job namespace and name
     * @param uid UID of the job
     * @param by RFC 3339 time by which it starts; absent when that is not known
     * @param nodes what is kept for it
     * @param collecting whether nobody else may start on the nodes meanwhile
     * @param slips how often the time became later
     * @param cause why the time is what it is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Reserved(
            @Required Integer rank,
            @Required @Size(max = 317) String job,
            @Required @Size(max = 63) String uid,
            @Nullable @Size(max = 63) String by,
            @Required NodeList nodes,
            @Required Boolean collecting,
            @Required Integer slips,
            @Required @Size(max = 63) String cause) {}
}

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
 * @param remembered what is learned over time; Muster goes on from it after a restart
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

        @JsonPropertyDescription("What is learned over time; Muster goes on from it after a restart.") @Nullable
        Remembered remembered,

        @Size(max = 16) List<Condition> conditions) {

    /** Gives absent lists as empty ones. */
    public TeamQueueStatus(
            @Nullable Long observedGeneration,
            @Nullable Integer waiting,
            @Nullable Integer admitted,
            @Nullable List<Usage> usage,
            @Nullable Remembered remembered,
            @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.waiting = waiting;
        this.admitted = admitted;
        this.usage = usage == null ? List.of() : List.copyOf(usage);
        this.remembered = remembered;
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

    /**
     * What is learned of a queue over time.
     *
     * @param pastUse what it has borrowed; absent when it never did
     * @param runTimes how long its gangs have run, by size class
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @SchemaCustomizer(
            value = SchemaPatch.class,
            input = "properties: {runTimes: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [upToGpus]}}")
    public record Remembered(
            @Nullable PastUse pastUse, @Size(max = 3) List<RunTimes> runTimes) {
        /** Gives an absent list as an empty one. */
        public Remembered(@Nullable PastUse pastUse, @Nullable List<RunTimes> runTimes) {
            this.pastUse = pastUse;
            this.runTimes = runTimes == null ? List.of() : List.copyOf(runTimes);
        }
    }

    /**
     * What a queue has borrowed in the past, forgotten by half in a day.
     *
     * @param epoch number of the epoch, of 1,350 seconds, that {@code second} is in
     * @param history what counted at the start of that epoch, in share units (2^-20) times seconds
     * @param added what has been added since
     * @param second up to when it is added up, in seconds since 1970
     */
    public record PastUse(
            @Required Long epoch,
            @Required Long history,
            @Required Long added,
            @Required Long second) {}

    /**
     * How long gangs of one size class have run: a histogram over 60, 85, 120, 170, 240 ... seconds.
     *
     * @param upToGpus the most GPUs of the size class
     * @param day the day since 1970 up to which the weights have decayed
     * @param samples how many runs were entered, ever
     * @param weights by length, the shortest first; a run just entered weighs 2^20; zeros at the end are left out
     */
    public record RunTimes(
            @Required Integer upToGpus,
            @Required Long day,
            @Required Long samples,
            @Size(max = 64) List<Long> weights) {
        /** Gives an absent list as an empty one. */
        public RunTimes(Integer upToGpus, Long day, Long samples, @Nullable List<Long> weights) {
            this.upToGpus = upToGpus;
            this.day = day;
            this.samples = samples;
            this.weights = weights == null ? List.of() : List.copyOf(weights);
        }
    }
}

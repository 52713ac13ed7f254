package dev.muster.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to know the nodes of a class, what they are, and how pods are placed on them.
 *
 * @param owner who answers for this policy; 1 to 253 characters
 * @param selector labels that a node must carry, every one of them; 1 to 16
 * @param taint the taint that the class demands on its nodes; null when it demands none
 * @param tolerations what Muster adds to pods that it places on the class
 * @param resource the extended resource that counts the GPUs
 * @param accelerator what the GPU is
 * @param facts what the owner declares about the software of the nodes
 * @param sharing how many pods may use one GPU at a time
 * @param topology keys of node labels that name a node's place, widest first
 * @param scaling how many nodes the class may come to have; null when it does not grow
 * @param readyCondition a node condition that must be true for pods to come; null when none is demanded
 * @param purposes the queues that may use the class; empty means all
 * @param costPerGpuHour what one GPU costs in an hour, in any currency, 0 to 1,000,000
 */
@ValidationRule(
        value = "self.selector.all(k, size(k) <= 317 && size(self.selector[k]) <= 63)",
        message = "a selector's keys are label keys and its values have at most 63 characters")
@ValidationRule(
        value = "!has(self.taint) || !has(self.tolerations) || self.tolerations.exists(t,"
                + " (!has(t.key) || t.key == self.taint.key)"
                + " && (!has(t.effect) || t.effect == '' || t.effect == self.taint.effect)"
                + " && ((has(t.operator) && t.operator == 'Exists')"
                + " || (has(t.value) ? t.value : '') == (has(self.taint.value) ? self.taint.value : '')))",
        message = "no toleration matches the taint that the class demands, so no pod could be placed."
                + " Maybe leave tolerations out: then the taint itself is tolerated")
@ValidationRule(
        value = "!has(self.sharing) || self.sharing != 'Mps' || has(self.readyCondition)",
        message =
                "with sharing Mps a node is ready only while its MPS daemon answers. Maybe name the node condition that"
                        + " tells it in readyCondition, such as MpsDaemonReady")
@SchemaCustomizer(
        value = SchemaPatch.class,
        input = "properties: {topology: {x-kubernetes-list-type: set}, purposes: {x-kubernetes-list-type: set},"
                + " tolerations: {x-kubernetes-list-type: atomic, items: {properties: " + Texts.TOLERATION + "}}}")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GpuNodeClassSpec(
        @JsonPropertyDescription("Who answers for this policy: a team, a person or an address.")
        @Required
        @Size(min = 1, max = 253)
        @PrinterColumn(name = "Owner", priority = 1)
        String owner,

        @JsonPropertyDescription("Labels that a node of this class carries, every one of them.")
        @Required
        @Size(min = 1, max = 16)
        Map<String, @Size(max = 63) @Pattern(Texts.LABEL_VALUE) String> selector,

        @JsonPropertyDescription("The taint that the class demands on its nodes, so that only placed pods come there.")
        @Nullable
        NodeTaint taint,

        @JsonPropertyDescription("What Muster adds to pods it places here; absent: what the taint needs.")
        @Size(max = 16)
        List<Toleration> tolerations,

        @JsonPropertyDescription("The extended resource that counts the GPUs.")
        @Default("nvidia.com/gpu")
        @Size(min = 1, max = 253)
        @Pattern(Texts.RESOURCE)
        String resource,

        @JsonPropertyDescription("What the GPU is.") @Default("{}")
        Accelerator accelerator,

        @JsonPropertyDescription("What the owner declares about the software of the nodes.") @Default("{}")
        Facts facts,

        @JsonPropertyDescription("How pods share one GPU.") @Default("Exclusive")
        Sharing sharing,

        @JsonPropertyDescription(
                "Type of a node condition that must be True for pods to come, such as one that tells whether the MPS daemon answers.")
        @Size(min = 1, max = 63)
        @Pattern(Texts.RESOURCE)
        @Nullable
        String readyCondition,

        @JsonPropertyDescription("Keys of node labels that name a node's place, widest first.") @Size(max = 8)
        List<@Size(min = 1, max = 317) @Pattern(Texts.LABEL_KEY) String> topology,

        @JsonPropertyDescription("How many nodes the class may come to have; absent: it does not grow.") @Nullable
        Scaling scaling,

        @JsonPropertyDescription("Purposes of the queues that may use the class; absent: all.") @Size(max = 3)
        List<Purpose> purposes,

        @JsonPropertyDescription("What one GPU costs in an hour, in any currency.") @Min(0) @Max(1000000) @Nullable
        BigDecimal costPerGpuHour) {

    private static final Accelerator UNKNOWN_ACCELERATOR = new Accelerator(null, null, null, null);
    private static final Facts NO_FACTS = new Facts(null, null, null, null);

    /** Gives absent fields the defaults of the schema. */
    public GpuNodeClassSpec(
            String owner,
            @Nullable Map<String, String> selector,
            @Nullable NodeTaint taint,
            @Nullable List<Toleration> tolerations,
            @Nullable String resource,
            @Nullable Accelerator accelerator,
            @Nullable Facts facts,
            @Nullable Sharing sharing,
            @Nullable String readyCondition,
            @Nullable List<String> topology,
            @Nullable Scaling scaling,
            @Nullable List<Purpose> purposes,
            @Nullable BigDecimal costPerGpuHour) {
        this.owner = owner;
        this.selector = selector == null ? Map.of() : Map.copyOf(selector);
        this.taint = taint;
        this.tolerations = tolerations == null ? List.of() : List.copyOf(tolerations);
        this.resource = resource == null ? "nvidia.com/gpu" : resource;
        this.accelerator = accelerator == null ? UNKNOWN_ACCELERATOR : accelerator;
        this.facts = facts == null ? NO_FACTS : facts;
        this.sharing = sharing == null ? Sharing.EXCLUSIVE : sharing;
        this.readyCondition = readyCondition;
        this.topology = topology == null ? List.of() : List.copyOf(topology);
        this.scaling = scaling;
        this.purposes = purposes == null ? List.of() : List.copyOf(purposes);
        this.costPerGpuHour = costPerGpuHour;
    }

    /**
     * What Muster adds to a pod that it places on this class.
     *
     * @return {@link #tolerations}; when there are none, exactly what {@link #taint} needs; empty when there is no taint
     */
    public List<Toleration> tolerationsToAdd() {
        if (!tolerations.isEmpty() || taint == null) {
            return tolerations;
        }
        return List.of(new TolerationBuilder()
                .withKey(taint.key())
                .withOperator("Equal")
                .withValue(taint.value() == null ? "" : taint.value())
                .withEffect(taint.effect().wireName())
                .build());
    }

    /**
     * A taint that every node of a class carries.
     *
     * @param key as in Kubernetes
     * @param value null and empty mean the same
     * @param effect what happens to pods that do not tolerate it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NodeTaint(
            @Required @Size(min = 1, max = 317) @Pattern(Texts.LABEL_KEY)
            String key,

            @Size(max = 63) @Pattern(Texts.LABEL_VALUE) @Nullable
            String value,

            @Required Effect effect) {}

    /**
     * What a GPU is.
     *
     * @param product name of the product, such as {@code H100}
     * @param memory memory of one GPU, at most 10^15 bytes
     * @param count GPUs of one node, 1 to 1,024; what nodes offer whose devices are handed out by claims
     * @param deviceClasses names of the DeviceClasses that hand out the GPUs of this class; at most 8, and then with a count
     */
    @ValidationRule(
            value = "!has(self.memory) || (quantity(string(self.memory)).compareTo(quantity('0')) > 0"
                    + " && quantity(string(self.memory)).compareTo(quantity('1P')) <= 0)",
            message = "accelerator.memory lies above 0 and ends at 10^15 bytes. Maybe write it like 80Gi")
    @ValidationRule(
            value = "!has(self.deviceClasses) || has(self.count)",
            message = "accelerator.deviceClasses come with a count: nodes do not say how many such devices they have."
                    + " Maybe write count: 8")
    @SchemaCustomizer(
            value = SchemaPatch.class,
            input = "properties: {memory: " + Texts.QUANTITY + ", deviceClasses: {x-kubernetes-list-type: set}}")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Accelerator(
            @JsonPropertyDescription("Name of the product, such as H100.")
            @Size(min = 1, max = 63)
            @PrinterColumn(name = "Product")
            @Nullable
            String product,

            @JsonPropertyDescription("Memory of one GPU, such as 80Gi.") @Nullable
            Quantity memory,

            @JsonPropertyDescription("GPUs of one node.") @Min(1) @Max(1024) @Nullable
            Integer count,

            @JsonPropertyDescription(
                    "DeviceClasses whose devices are the GPUs of this class, for pods that ask by claims.")
            @Size(max = 8)
            @Nullable
            List<@Size(min = 1, max = 253) @Pattern(Texts.RESOURCE) String> deviceClasses) {}

    /**
     * What the owner declares about the software of the nodes; null means unknown, and satisfies no requirement.
     *
     * @param cuda newest CUDA version that the driver offers, such as {@code 12.4}
     * @param driver version of the driver, such as {@code 550.54.15}
     * @param compute compute capability of the GPU, such as {@code 9.0}
     * @param arch architecture of the CPU as Kubernetes names it, such as {@code amd64}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Facts(
            @JsonPropertyDescription("Newest CUDA version that the driver offers, such as \"12.4\".")
            @Size(min = 1, max = 31)
            @Pattern(Texts.VERSION)
            @Nullable
            String cuda,

            @JsonPropertyDescription("Version of the driver, such as \"550.54.15\".")
            @Size(min = 1, max = 31)
            @Pattern(Texts.VERSION)
            @Nullable
            String driver,

            @JsonPropertyDescription("Compute capability of the GPU, such as \"9.0\".")
            @Size(min = 1, max = 31)
            @Pattern(Texts.VERSION)
            @Nullable
            String compute,

            @JsonPropertyDescription("Architecture of the CPU as Kubernetes names it, such as amd64.")
            @Size(min = 1, max = 63)
            @Pattern(Texts.NAME)
            @Nullable
            String arch) {}

    /**
     * How many nodes a class may come to have.
     *
     * @param maxNodes most nodes, those that exist included, 1 to 1,000,000
     * @param shape what one new node offers, for each resource; each quantity lies between 0 and 10^15
     * @param leadTime time from the wish to a ready node; see {@link DurationText}
     */
    @ValidationRule(
            value = "!has(self.shape) || self.shape.all(k, size(k) <= 253"
                    + " && quantity(string(self.shape[k])).compareTo(quantity('0')) >= 0"
                    + " && quantity(string(self.shape[k])).compareTo(quantity('1P')) <= 0)",
            message = "scaling.shape names resources, and each quantity lies between 0 and 10^15")
    @SchemaCustomizer(
            value = SchemaPatch.class,
            input = "properties: {shape: {additionalProperties: " + Texts.QUANTITY + "}}")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Scaling(
            @JsonPropertyDescription("Most nodes, those that exist included.") @Required @Min(1) @Max(1000000)
            Integer maxNodes,

            @JsonPropertyDescription("What one new node offers, for each resource.") @Required @Size(min = 1, max = 16)
            Map<String, Quantity> shape,

            @JsonPropertyDescription("Time from the wish to a ready node, such as 5m.")
            @Default("10m")
            @Size(min = 2, max = 16)
            @Pattern(DurationText.PATTERN)
            String leadTime) {

        /** Gives absent fields the defaults of the schema. */
        public Scaling(Integer maxNodes, @Nullable Map<String, Quantity> shape, @Nullable String leadTime) {
            this.maxNodes = maxNodes;
            this.shape = shape == null ? Map.of() : Map.copyOf(shape);
            this.leadTime = leadTime == null ? "10m" : leadTime;
        }
    }

    /** What happens to pods that do not tolerate a taint. */
    public enum Effect {
        /** They are not scheduled there. */
        @JsonProperty("NoSchedule")
        NO_SCHEDULE("NoSchedule"),
        /** They are scheduled there only when nothing else fits. */
        @JsonProperty("PreferNoSchedule")
        PREFER_NO_SCHEDULE("PreferNoSchedule"),
        /** They are not scheduled there, and evicted if they run there. */
        @JsonProperty("NoExecute")
        NO_EXECUTE("NoExecute");

        private final String wireName;

        Effect(String wireName) {
            this.wireName = wireName;
        }

        /** The name that Kubernetes uses. */
        public String wireName() {
            return wireName;
        }
    }

    /** How pods share one GPU. */
    public enum Sharing {
        /** One pod has the whole GPU. */
        @JsonProperty("Exclusive")
        EXCLUSIVE,
        /** Pods take turns; nothing is isolated. */
        @JsonProperty("TimeSlice")
        TIME_SLICE,
        /** The GPU is cut into isolated parts. */
        @JsonProperty("Mig")
        MIG,
        /** Pods run at the same time through one server process. */
        @JsonProperty("Mps")
        MPS
    }
}

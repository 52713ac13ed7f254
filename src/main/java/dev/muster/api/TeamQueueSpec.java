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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a team is due and which rules its gangs keep.
 *
 * <p>Rules stand on record types: on a record component each is emitted twice, which server-side apply refuses.
 *
 * @param parent name of the parent queue; null for a root
 * @param owner who answers for this policy; 1 to 253 characters
 * @param namespaces which namespaces may submit here; empty means all
 * @param weight share of what is borrowed among siblings, 0 to 1,000,000; 0 borrows only what nobody else wants
 * @param quotas at most one for each node class and resource; what is not listed is not due
 * @param preemption how long a running gang is safe, and how long it has to stop
 * @param limits bounds for each gang and for the queue's length
 * @param ordering which waiting gang of equal priority goes first
 * @param unspecific what is done with a gang that neither names node classes nor states requirements
 * @param purpose what the queue is for
 * @param stop whether the queue admits gangs
 */
@ValidationRule(
        value = "has(self.parent) || !has(self.quotas) || self.quotas.all(q, !has(q.borrowingLimit))",
        message = "a root queue has nobody to borrow from. Maybe remove borrowingLimit, or give the queue a parent")
@ValidationRule(
        value = "!has(self.quotas) || (has(self.purpose) && self.purpose == 'Serving')"
                + " || self.quotas.all(q, !has(q.reserve))",
        message =
                "only a queue with purpose Serving keeps room for scale-up. Maybe set purpose: Serving, or remove reserve")
@SchemaCustomizer(value = SchemaPatch.class, input = """
                properties:
                  quotas: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [nodeClass, resource]}
                  namespaces: {x-kubernetes-list-type: set}
                """)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TeamQueueSpec(
        @JsonPropertyDescription("Name of the parent queue; absent for a root.")
        @Size(min = 1, max = 63)
        @Pattern(Texts.NAME)
        @PrinterColumn(name = "Parent")
        @Nullable
        String parent,

        @JsonPropertyDescription("Who answers for this policy: a team, a person or an address.")
        @Required
        @Size(min = 1, max = 253)
        @PrinterColumn(name = "Owner", priority = 1)
        String owner,

        @JsonPropertyDescription("Namespaces that may submit to this queue; absent or empty: all.") @Size(max = 64)
        List<@Size(min = 1, max = 63) @Pattern(Texts.NAME) String> namespaces,

        @JsonPropertyDescription("Share of borrowed capacity among siblings; 0 borrows only what nobody else wants.")
        @Min(0)
        @Max(1000000)
        @Default("1")
        @PrinterColumn(name = "Weight")
        Long weight,

        @JsonPropertyDescription("What the queue is due, for each node class and resource.") @Size(max = 32)
        List<Quota> quotas,

        @JsonPropertyDescription("How long a running gang is safe, and how long it has to stop.") @Default("{}")
        Preemption preemption,

        @JsonPropertyDescription("Bounds for each gang and for the queue's length.") @Default("{}")
        Limits limits,

        @JsonPropertyDescription("Which waiting gang of equal priority goes first.") @Default("Slowdown")
        Ordering ordering,

        @JsonPropertyDescription("What is done with a gang that neither names node classes nor states requirements.")
        @Default("Warn")
        Unspecific unspecific,

        @JsonPropertyDescription("What the queue is for.") @Default("Training")
        Purpose purpose,

        @JsonPropertyDescription("None: admits. Hold: admits nothing new. Drain: also stops what runs.")
        @Default("None")
        Stop stop) {

    private static final Preemption DEFAULT_PREEMPTION = new Preemption(null, null);
    private static final Limits NO_LIMITS = new Limits(null, null, null, null);

    /** Gives absent fields the defaults of the schema. */
    public TeamQueueSpec(
            @Nullable String parent,
            String owner,
            @Nullable List<String> namespaces,
            @Nullable Long weight,
            @Nullable List<Quota> quotas,
            @Nullable Preemption preemption,
            @Nullable Limits limits,
            @Nullable Ordering ordering,
            @Nullable Unspecific unspecific,
            @Nullable Purpose purpose,
            @Nullable Stop stop) {
        this.parent = parent;
        this.owner = owner;
        this.namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
        this.weight = weight == null ? 1L : weight;
        this.quotas = quotas == null ? List.of() : List.copyOf(quotas);
        this.preemption = preemption == null ? DEFAULT_PREEMPTION : preemption;
        this.limits = limits == null ? NO_LIMITS : limits;
        this.ordering = ordering == null ? Ordering.SLOWDOWN : ordering;
        this.unspecific = unspecific == null ? Unspecific.WARN : unspecific;
        this.purpose = purpose == null ? Purpose.TRAINING : purpose;
        this.stop = stop == null ? Stop.NONE : stop;
    }

    /**
     * What a team may take of one resource of one node class. Each quantity may be written {@code 16} or {@code "16"}, and
     * lies between 0 and 10^15.
     *
     * @param nodeClass name of a {@link GpuNodeClass}
     * @param resource name of the resource, such as {@code nvidia.com/gpu}, {@code cpu} or {@code memory}
     * @param nominal what is guaranteed
     * @param borrowingLimit how far use may exceed nominal; null means as far as others lend; never set at a root
     * @param lendingLimit how much of nominal others may borrow; null means all of it
     * @param firmLendingLimit how much of what is lent may go to work that cannot be interrupted; null means none
     * @param reserve GPUs kept free of other queues' firm work beside the present use, up to nominal; null means none
     */
    @ValidationRule(
            value = "[self.nominal]" + Texts.COUNTABLE,
            messageExpression = "'nominal ' + string(self.nominal) + ' is not between 0 and 10^15'")
    @ValidationRule(
            value = "!has(self.borrowingLimit) || [self.borrowingLimit]" + Texts.COUNTABLE,
            messageExpression = "'borrowingLimit ' + string(self.borrowingLimit) + ' is not between 0 and 10^15'")
    @ValidationRule(
            value = "!has(self.lendingLimit) || [self.lendingLimit]" + Texts.COUNTABLE,
            messageExpression = "'lendingLimit ' + string(self.lendingLimit) + ' is not between 0 and 10^15'")
    @ValidationRule(
            value = "!has(self.firmLendingLimit) || [self.firmLendingLimit]" + Texts.COUNTABLE,
            messageExpression = "'firmLendingLimit ' + string(self.firmLendingLimit) + ' is not between 0 and 10^15'")
    @ValidationRule(
            value = "!has(self.lendingLimit)"
                    + " || quantity(string(self.lendingLimit)).compareTo(quantity(string(self.nominal))) <= 0",
            messageExpression =
                    "'lendingLimit ' + string(self.lendingLimit) + ' is above nominal ' + string(self.nominal)")
    @ValidationRule(
            value = "!has(self.firmLendingLimit)"
                    + " || quantity(string(self.firmLendingLimit)).compareTo(quantity(string(self.nominal))) <= 0",
            messageExpression =
                    "'firmLendingLimit ' + string(self.firmLendingLimit) + ' is above nominal ' + string(self.nominal)")
    @ValidationRule(
            value = "!has(self.firmLendingLimit) || !has(self.lendingLimit)"
                    + " || quantity(string(self.firmLendingLimit)).compareTo(quantity(string(self.lendingLimit))) <= 0",
            messageExpression = "'firmLendingLimit ' + string(self.firmLendingLimit) + ' is above lendingLimit '"
                    + " + string(self.lendingLimit)")
    @ValidationRule(
            value = "!has(self.reserve) || [self.reserve]" + Texts.COUNTABLE
                    + " && quantity(string(self.reserve)).compareTo(quantity(string(self.nominal))) <= 0",
            messageExpression = "'reserve ' + string(self.reserve) + ' is above nominal ' + string(self.nominal)")
    @SchemaCustomizer(
            value = SchemaPatch.class,
            // @Size and @Pattern are dropped on Quantity without a word; unbounded, the rules cost too much
            input = "properties: {nominal: " + Texts.SIGNED_QUANTITY + ", borrowingLimit: " + Texts.QUANTITY
                    + ", lendingLimit: " + Texts.QUANTITY + ", firmLendingLimit: " + Texts.QUANTITY + ", reserve: "
                    + Texts.QUANTITY + "}")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Quota(
            @JsonPropertyDescription("Name of a GpuNodeClass.") @Required @Size(min = 1, max = 63) @Pattern(Texts.NAME)
            String nodeClass,

            @JsonPropertyDescription("Name of the resource, such as nvidia.com/gpu, cpu or memory.")
            @Required
            @Size(min = 1, max = 253)
            @Pattern(Texts.RESOURCE)
            String resource,

            @JsonPropertyDescription("What is guaranteed.") @Required
            Quantity nominal,

            @JsonPropertyDescription("How far use may exceed nominal; absent: as far as others lend.") @Nullable
            Quantity borrowingLimit,

            @JsonPropertyDescription("How much of nominal others may borrow; absent: all of it.") @Nullable
            Quantity lendingLimit,

            @JsonPropertyDescription(
                    "How much of what is lent may go to work that cannot be interrupted; absent: none.")
            @Nullable
            Quantity firmLendingLimit,

            @JsonPropertyDescription(
                    "GPUs kept free of other queues' firm work beside the present use, for scale-up; absent: none.")
            @Nullable
            Quantity reserve) {}

    /**
     * How long a gang is safe, and how long it has to stop. Inner defaults apply because the field itself defaults to {}.
     *
     * @param minRuntime run time before a gang may be preempted; see {@link DurationText}
     * @param grace time between the request to stop and the kill; see {@link DurationText}
     */
    public record Preemption(
            @JsonPropertyDescription("How long a gang runs before it may be preempted, such as 10m.")
            @Default("10m")
            @Size(min = 2, max = 16)
            @Pattern(DurationText.PATTERN)
            String minRuntime,

            @JsonPropertyDescription("Time between the request to stop and the kill, such as 60s.")
            @Default("60s")
            @Size(min = 2, max = 16)
            @Pattern(DurationText.PATTERN)
            String grace) {

        /** Gives absent fields the defaults of the schema. */
        public Preemption(@Nullable String minRuntime, @Nullable String grace) {
            this.minRuntime = minRuntime == null ? "10m" : minRuntime;
            this.grace = grace == null ? "60s" : grace;
        }
    }

    /**
     * Bounds for each gang and for the queue's length; null means no bound.
     *
     * @param maxRuntime longest run time of one gang, over all its attempts; see {@link DurationText}
     * @param maxGangGpus most GPUs of one gang, 1 to 1,000,000
     * @param maxPending most gangs that wait in this queue, 1 to 1,000,000
     * @param maxPriority highest priority of a gang, -2^31 to 10^9, the range of Kubernetes
     */
    @ValidationRule(
            value = "!has(self.maxRuntime) || self.maxRuntime.matches('[1-9]')",
            message = "maxRuntime is no time at all. Maybe use stop: Hold to admit nothing")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Limits(
            @JsonPropertyDescription("Longest run time of one gang, over all its attempts, such as 12h.")
            @Size(min = 2, max = 16)
            @Pattern(DurationText.PATTERN)
            @Nullable
            String maxRuntime,

            @JsonPropertyDescription("Most GPUs of one gang.") @Min(1) @Max(1000000) @Nullable
            Long maxGangGpus,

            @JsonPropertyDescription("Most gangs that wait in this queue.") @Min(1) @Max(1000000) @Nullable
            Integer maxPending,

            @JsonPropertyDescription("Highest priority of a gang.") @Min(-2147483648L) @Max(1000000000) @Nullable
            Integer maxPriority) {}

    /** Which waiting gang of equal priority goes first. */
    public enum Ordering {
        /** The one whose wait is longest in proportion to its expected run time. */
        @JsonProperty("Slowdown")
        SLOWDOWN,
        /** The one submitted first. */
        @JsonProperty("Fifo")
        FIFO
    }

    /** What is done with a gang that neither names node classes nor states requirements. */
    public enum Unspecific {
        /** It may run on every class that offers the resource. */
        @JsonProperty("Allow")
        ALLOW,
        /** As {@link #ALLOW}, and the submitter is warned. */
        @JsonProperty("Warn")
        WARN,
        /** It is refused at submission. */
        @JsonProperty("Refuse")
        REFUSE
    }

    /** Whether a queue admits gangs. */
    public enum Stop {
        /** It does. */
        @JsonProperty("None")
        NONE,
        /** It admits nothing new; what runs goes on. */
        @JsonProperty("Hold")
        HOLD,
        /** It admits nothing new and stops what runs. */
        @JsonProperty("Drain")
        DRAIN
    }
}

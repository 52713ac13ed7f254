package dev.muster.api;

/** The patterns and CEL fragments that several schemas share. */
final class Texts {
    /** The name of a queue, a node class or a namespace: at most 63 characters, which the schema says beside it. */
    static final String NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

    /** The name of a resource: {@code cpu} or {@code vendor.example/thing}. */
    static final String RESOURCE = "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$";

    /** The key of a label or taint. */
    static final String LABEL_KEY = RESOURCE;

    /** The value of a label or taint; may be empty. */
    static final String LABEL_VALUE = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$";

    /** A dotted version: {@code 12.4}, {@code 550.54.15}. */
    static final String VERSION = "^[0-9]{1,6}([.][0-9]{1,6}){0,3}$";

    /** Bounds of a quantity that a rule compares; exa and exponents are left out because they are past 10^15. */
    static final String SIGNED_QUANTITY =
            "{maxLength: 20, pattern: '^-?[0-9]{1,16}([.][0-9]{1,3})?(m|k|M|G|T|P|Ki|Mi|Gi|Ti)?$'}";

    /** As {@link #SIGNED_QUANTITY}, without a sign. */
    static final String QUANTITY =
            "{maxLength: 20, pattern: '^[0-9]{1,16}([.][0-9]{1,3})?(m|k|M|G|T|P|Ki|Mi|Gi|Ti)?$'}";

    /**
     * The end of a CEL rule that begins with a list of one quantity: it lies between 0 and 10^15. Optional elements in such
     * a list ({@code [?self.x]}) make an API server of 1.36.3 panic when the CRD is stored.
     */
    static final String COUNTABLE = ".all(v, quantity(string(v)).compareTo(quantity('0')) >= 0"
            + " && quantity(string(v)).compareTo(quantity('1P')) <= 0)";

    /** Conditions: one of each type, every text bounded. */
    static final String CONDITIONS = "{x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type],"
            + " items: {required: [type, status], properties: {type: {maxLength: 63}, reason: {maxLength: 63},"
            + " status: {enum: ['True', 'False', Unknown]}, message: {maxLength: 4096},"
            + " lastTransitionTime: {maxLength: 63}}}}";

    /** Properties of a toleration, every text bounded. */
    static final String TOLERATION = "{key: {maxLength: 317}, value: {maxLength: 63},"
            + " operator: {enum: [Exists, Equal]}, effect: {enum: [NoSchedule, PreferNoSchedule, NoExecute]}}";

    private Texts() {}
}

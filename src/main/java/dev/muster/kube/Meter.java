package dev.muster.kube;

/** Where this package's figures go. All labels come from small fixed sets. */
public interface Meter {
    /**
     * A write ended.
     *
     * @param kind {@code admit}, {@code stop}, {@code release}, {@code mark}, {@code place}, {@code status} or {@code event}
     * @param outcome {@code done}, {@code stale}, {@code gone}, {@code refused}, {@code unknown}, {@code replaced}, {@code unsent} (it
     *     would have been refused for sure) or {@code dropped}
     * @param nanos how long it took
     */
    void wrote(String kind, String outcome, long nanos);

    /** Nothing is measured. */
    Meter NONE = (kind, outcome, nanos) -> {};
}

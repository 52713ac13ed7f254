package dev.muster.core.model;

/** Where a gang is in its life, as the label {@code muster.dev/state} says. */
public enum GangState {
    WAITING("waiting"),
    ADMITTED("admitted"),
    RUNNING("running"),
    STOPPING("stopping"),
    FINISHED("finished");

    private final String label;

    GangState(String label) {
        this.label = label;
    }

    /** The label's value. */
    public String label() {
        return label;
    }
}

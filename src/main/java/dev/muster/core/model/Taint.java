package dev.muster.core.model;

/** A mark on a node that keeps pods away which do not tolerate it. An empty value means none. */
public record Taint(String key, String value, Effect effect) {
    /** What the taint does; only the two hard effects keep a new pod away. */
    public enum Effect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE;

        /** Whether a pod that does not tolerate it may not come to the node. */
        public boolean isHard() {
            return this != PREFER_NO_SCHEDULE;
        }
    }
}

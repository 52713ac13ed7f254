package dev.muster.kube;

import dev.muster.kinds.KindName;

/**
 * How far a described kind takes part on this cluster.
 *
 * @param said why it does not, and what helps; empty when it is on or absent
 */
public record KindState(KindName name, Standing standing, String said) {
    /** Whether it takes part. */
    public enum Standing {
        /** The API server does not serve it: it costs nothing. */
        ABSENT,
        /** It is served, but cannot be managed as it is. */
        OFF,
        /** Its jobs are managed. */
        ON
    }
}

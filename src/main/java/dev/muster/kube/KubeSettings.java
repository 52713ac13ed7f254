package dev.muster.kube;

import dev.muster.kinds.Kinds;
import java.time.Duration;

/**
 * How Muster works with a cluster.
 *
 * @param namespace of the Lease, which the fence policy names too
 * @param identity of this process, never used by another one
 * @param lease after which another process may take an unchanged Lease
 * @param renewDeadline after which a leader that could not renew stops to write; below {@code lease}
 * @param retry between two looks at the Lease
 * @param outage how long a watch may be interrupted before decisions stop
 * @param settle how long a new leader waits at most for its predecessor's fence to be refused
 * @param writesInFlight most writes at the same time
 * @param kinds that take part beside the batch Job, where they are installed
 * @param discovery between two looks at which kinds are installed and work
 */
public record KubeSettings(
        String namespace,
        String identity,
        Duration lease,
        Duration renewDeadline,
        Duration retry,
        Duration outage,
        Duration settle,
        int writesInFlight,
        Kinds kinds,
        Duration discovery) {
    /** With batch Jobs alone. */
    public KubeSettings(
            String namespace,
            String identity,
            Duration lease,
            Duration renewDeadline,
            Duration retry,
            Duration outage,
            Duration settle,
            int writesInFlight) {
        this(
                namespace,
                identity,
                lease,
                renewDeadline,
                retry,
                outage,
                settle,
                writesInFlight,
                Kinds.NONE,
                Duration.ofSeconds(10));
    }

    public KubeSettings {
        if (writesInFlight < 1) {
            throw new IllegalArgumentException("at least one write must be allowed in flight, not " + writesInFlight);
        }
    }
}

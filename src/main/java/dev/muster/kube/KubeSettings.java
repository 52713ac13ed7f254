package dev.muster.kube;

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
 */
public record KubeSettings(
        String namespace,
        String identity,
        Duration lease,
        Duration renewDeadline,
        Duration retry,
        Duration outage,
        Duration settle,
        int writesInFlight) {
    public KubeSettings {
        if (writesInFlight < 1) {
            throw new IllegalArgumentException("at least one write must be allowed in flight, not " + writesInFlight);
        }
    }
}

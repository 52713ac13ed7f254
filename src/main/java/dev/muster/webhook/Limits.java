package dev.muster.webhook;

import java.time.Duration;

/**
 * What the webhook's port takes from a stranger. Anybody in the pod network may connect, for an API server comes from no
 * address that could be told beforehand; so no caller may hold memory or connections for long.
 *
 * @param largestBody of one review, in bytes
 * @param mostHeld bytes of all bodies that are being received or wait for their turn
 * @param bodyWithin how long a body may take from its headers to its end
 * @param requestWithin how long a new connection may be silent
 * @param mostConnections at the same time
 */
public record Limits(int largestBody, long mostHeld, Duration bodyWithin, Duration requestWithin, int mostConnections) {
    /**
     * 8 MiB a body, above the 3 MiB that an API server takes, twice; four of those at a time; 5 s for a body, since no
     * API server waits that long for an answer; 500 connections, each of which costs some 50 KB.
     */
    public static final Limits DEFAULT =
            new Limits(8 << 20, 32L << 20, Duration.ofSeconds(5), Duration.ofSeconds(10), 500);
}

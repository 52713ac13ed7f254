package dev.muster.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What an operator sets for the mode {@code cluster}. Each key is named {@code muster.cluster.<name>}. */
@ConfigMapping(prefix = "muster.cluster")
public interface ClusterConfig {
    /** Namespace of the Lease {@code muster-leader}, which the policy muster-fence names too. */
    @WithDefault("muster-system")
    String namespace();

    /** After how long an unchanged Lease may be taken over; above {@link #renewDeadline}. */
    @WithDefault("15s")
    Duration leaseDuration();

    /** After how long a leader that could not renew stops to write; above 0. */
    @WithDefault("10s")
    Duration renewDeadline();

    /** Pause between two looks at the Lease. */
    @WithDefault("2s")
    Duration retryPeriod();

    /** How long a watch may be interrupted before decisions stop. */
    @WithDefault("5s")
    Duration watchOutage();

    /** How long a new leader waits at most until its predecessor's writes are seen to be refused. */
    @WithDefault("5s")
    Duration settle();

    /** Most writes at the same time, at least 1. */
    @WithDefault("16")
    int writesInFlight();

    /**
     * PEM file of the API server's own authorities, for webhook configurations without a caBundle: readiness says no when
     * none of them signed the certificate that the webhook serves. Without it such a configuration counts as trusting nobody.
     */
    Optional<Path> webhookCa();
}

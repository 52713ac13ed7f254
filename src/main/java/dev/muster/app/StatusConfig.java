package dev.muster.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** What an operator sets for page and REST. Each key is named {@code muster.status.<name>}. */
@ConfigMapping(prefix = "muster.status")
public interface StatusConfig {
    /**
     * Whether everybody who reaches the port may read jobs of all namespaces, without a token. Absent: yes for the cluster in
     * memory, which knows no accounts, and no for a real one.
     */
    Optional<Boolean> anonymous();

    /** How long a request waits at most for its turn to ask the API server about a token; above 0. */
    @WithDefault("1s")
    Duration patience();
}

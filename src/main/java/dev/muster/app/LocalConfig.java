package dev.muster.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What the cluster in memory is made of. Each key is named {@code muster.local.<name>}. */
@ConfigMapping(prefix = "muster.local")
public interface LocalConfig {
    /** Folder with manifests that it is filled with; absent: the demo that comes with Muster. */
    Optional<Path> queues();

    /** Virtual seconds in one real second, above 0: at 600 an hour takes 6 s. */
    @WithDefault("600")
    double speed();

    /** Whether the demo's trace of real jobs is played. */
    @WithDefault("true")
    boolean trace();

    /** The point of the trace to begin at. */
    @WithDefault("48h")
    Duration traceFrom();
}

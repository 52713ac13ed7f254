package dev.muster.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;

/** Kinds of jobs beside the batch Job, on a real cluster. Each key is named {@code muster.kinds.<name>}. */
@ConfigMapping(prefix = "muster.kinds")
public interface KindsConfig {
    /** Folder with descriptors of further kinds, or of shipped ones that are to be other; none when it is not there. */
    @WithDefault("/etc/muster/kinds")
    Path folder();

    /** Pause between two looks at which kinds are installed and can be managed. */
    @WithDefault("10s")
    Duration discovery();
}

package dev.muster.web;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Which cluster is driven, and what time it is there. */
public interface ClusterInfo {
    /** As of now. */
    About about();

    /**
     * Which cluster is driven, and what time it is there.
     *
     * @param mode {@code local} or {@code cluster}
     * @param speed virtual seconds in one real second; 1 on a real cluster
     */
    @Schema(name = "About", description = "Which cluster is driven, and what time it is there.")
    record About(
            @Schema(description = "local or cluster", examples = "local")
            String mode,

            @Schema(description = "The cluster's time.") Instant now,

            @Schema(description = "Virtual seconds in one real second; 1 on a real cluster.")
            double speed) {}
}

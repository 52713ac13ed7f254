package dev.muster.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Which cluster is driven, and what time it is there. */
@Path("/api/v1/about")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "About")
public class AboutResource {
    private final ClusterInfo info;

    public AboutResource(ClusterInfo info) {
        this.info = info;
    }

    /** As of now. */
    @GET
    @Operation(summary = "Which cluster is driven, and what time it is there")
    public ClusterInfo.About about() {
        return info.about();
    }
}

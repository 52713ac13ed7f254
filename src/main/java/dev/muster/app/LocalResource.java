package dev.muster.app;

import dev.muster.local.Applied;
import dev.muster.local.LocalCluster;
import dev.muster.web.ProblemJson;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Takes manifests for the cluster in memory, and answers as kubectl would. */
@Path("/local/apply")
@Tag(name = "Local mode", description = "Manifests for the cluster in memory.")
@Blocking
public class LocalResource {
    private final LocalWiring local;

    public LocalResource(LocalWiring local) {
        this.local = local;
    }

    /** Applies manifests. */
    @POST
    @Consumes(MediaType.WILDCARD)
    @Produces({MediaType.TEXT_PLAIN, ProblemJson.MEDIA_TYPE})
    @Operation(
            summary = "Apply manifests",
            description = "Applies YAML of one or more documents to the cluster in memory; the answer is what kubectl"
                    + " apply would print. For example: curl --data-binary @queues/examples/train.yaml"
                    + " localhost:8080/local/apply")
    @APIResponse(responseCode = "200", description = "All objects were taken")
    @APIResponse(responseCode = "400", description = "dryRun has another value than server; problem+json")
    @APIResponse(responseCode = "404", description = "Muster drives a real cluster; problem+json")
    @APIResponse(responseCode = "422", description = "At least one object was refused; the others were taken")
    public Response apply(
            String yaml,
            @Parameter(description = "server: nothing is stored") @QueryParam("dryRun") @Nullable String dryRun) {
        Optional<LocalCluster> cluster = local.cluster();
        if (cluster.isEmpty()) {
            return ProblemJson.response(
                    404, "Not found", "Muster drives a real cluster, not one in memory. Maybe use kubectl apply.");
        }
        if (dryRun != null && !dryRun.equals("server")) {
            return ProblemJson.response(
                    400, "Bad request", "dryRun is '" + dryRun + "'. Maybe server, or leave it out.");
        }
        Applied applied = cluster.get().apply(yaml, dryRun != null);
        return Response.status(applied.refused() ? 422 : 200)
                .type(MediaType.TEXT_PLAIN_TYPE.withCharset("utf-8"))
                .entity(applied.text())
                .build();
    }
}

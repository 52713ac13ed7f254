package dev.muster.web;

import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import dev.muster.engine.Views.GangView;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Gangs: state, reason with figures, place in line, charge and place. */
@Path("/api/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Jobs", description = "State, reason with figures, place in line, charge and place.")
@Blocking
public class JobsResource {
    private static final int MOST = 1000;

    private final Views views;

    public JobsResource(Views views) {
        this.views = views;
    }

    /** Gangs of a queue and state: waiting ones in line order, others newest first; of every state, in the order of {@link Shown}. */
    @GET
    @Operation(
            summary = "Gangs",
            description = "Of one state: waiting ones in line order, others newest first. Of all states: those"
                    + " that hold something, newest admission first, then waiting ones in line order, then ended ones,"
                    + " newest submission first.")
    @APIResponse(responseCode = "200", description = "At most limit gangs")
    @APIResponse(responseCode = "400", description = "The state or the limit cannot be understood; problem+json")
    @APIResponse(responseCode = "403", description = "You may not get jobs in the namespace; problem+json")
    public List<JobJson> some(
            @Parameter(description = "Name of a queue; absent: all") @QueryParam("queue") @Nullable String queue,
            @Parameter(description = "waiting, admitted, running, stopping or finished; absent: all")
                    @QueryParam("state")
                    @Nullable
                    String state,
            @Parameter(description = "Name of a namespace; absent: all in which you may get jobs")
                    @QueryParam("namespace")
                    @Nullable
                    String namespace,
            @Parameter(description = "How many at most, 1 to 1000") @QueryParam("limit") @DefaultValue("100")
                    String limit,
            @Context SecurityContext context) {
        GangState wanted = state(state);
        int most = limit(limit);
        Shown shown = new Shown(views, Sight.of(context).reach(views, namespace));
        Gpus gpus = new Gpus(views.gpuResources());
        List<GangView> gangs = wanted == null ? shown.gangs(queue, most) : shown.gangs(queue, wanted, most);
        return gangs.stream().map(gang -> JobJson.of(gang, gpus)).toList();
    }

    /** One gang. */
    @GET
    @Path("{namespace}/{name}")
    @Operation(summary = "One gang")
    @APIResponse(responseCode = "200", description = "The gang")
    @APIResponse(responseCode = "403", description = "You may not get jobs in this namespace; problem+json")
    @APIResponse(responseCode = "404", description = "No managed job has this name; problem+json")
    public JobJson one(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @Context SecurityContext context) {
        Sight.of(context).check(namespace);
        GangView gang = views.gang(namespace, name)
                .orElseThrow(() -> ProblemJson.notFound("There is no managed job '" + name + "' in namespace '"
                        + namespace + "'. Maybe it carries no label muster.dev/queue, or it was deleted."));
        return JobJson.of(gang, new Gpus(views.gpuResources()));
    }

    private static @Nullable GangState state(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        return Arrays.stream(GangState.values())
                .filter(state -> state.label().equals(text))
                .findFirst()
                .orElseThrow(() -> ProblemJson.badRequest("'" + text + "' is no state. Maybe one of "
                        + Arrays.stream(GangState.values())
                                .map(GangState::label)
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= MOST) {
                return limit;
            }
        } catch (NumberFormatException noNumber) {
            throw ProblemJson.badRequest("The limit '" + text + "' is no number. Maybe 100.");
        }
        throw ProblemJson.badRequest("The limit " + text + " is not between 1 and " + MOST + ".");
    }
}

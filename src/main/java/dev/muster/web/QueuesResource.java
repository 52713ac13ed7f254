package dev.muster.web;

import dev.muster.engine.Views;
import dev.muster.engine.Views.QueueView;
import dev.muster.files.Spelling;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Queues: quota, use, and how many gangs wait, start and run. */
@Path("/api/v1/queues")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Queues", description = "Quota, use, and how many gangs wait, start and run.")
@Blocking
public class QueuesResource {
    private final Views views;

    public QueuesResource(Views views) {
        this.views = views;
    }

    /** All queues, by name. */
    @GET
    @Operation(summary = "All queues, by name")
    public List<QueueView> all() {
        return views.queues();
    }

    /** One queue. */
    @GET
    @Path("{name}")
    @Operation(summary = "One queue")
    @APIResponse(responseCode = "200", description = "The queue")
    @APIResponse(responseCode = "404", description = "There is no queue of this name; problem+json")
    public QueueView one(@PathParam("name") String name) {
        return views.queue(name)
                .orElseThrow(() -> ProblemJson.notFound(unknown(
                        "queue",
                        name,
                        views.queues().stream().map(QueueView::name).toList())));
    }

    /** Says that a name is not known, and which one may have been meant. */
    static String unknown(String what, String name, List<String> known) {
        String near = Spelling.cure(name, known);
        String cure = !near.isEmpty() ? near : known.isEmpty() ? "Maybe none was created yet" : "Known: " + some(known);
        return "There is no " + what + " '" + name + "'. " + cure + ".";
    }

    private static String some(List<String> known) {
        int shown = Math.min(10, known.size());
        String rest = known.size() > shown ? " and " + (known.size() - shown) + " more" : "";
        return String.join(", ", known.subList(0, shown)) + rest;
    }
}

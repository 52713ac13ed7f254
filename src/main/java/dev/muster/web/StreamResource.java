package dev.muster.web;

import dev.muster.engine.Views;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Changes as server-sent events, at most two of each kind a second. */
@Path("/api/v1/stream")
@Tag(name = "Stream", description = "Changes as server-sent events.")
public class StreamResource {
    /** How long a stream lasts for an account of the cluster: its rights are asked about when it comes back. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final LiveFeed feed;
    private final Views views;

    public StreamResource(LiveFeed feed, Views views) {
        this.feed = feed;
        this.views = views;
    }

    /** The sections of the page as events: about, queues, nodeclasses, waiting, active. */
    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(
            summary = "Changes, live",
            description =
                    "Events about, queues, nodeclasses, waiting and active. Each carries the whole section as JSON,"
                            + " first all of them, then each when it has changed, at most twice a second. Where a token"
                            + " is asked for, the stream ends after a minute, and has to be opened anew.")
    @APIResponse(responseCode = "200", description = "The stream")
    @APIResponse(responseCode = "503", description = "Too many listen already; problem+json")
    @Blocking // rights are asked about before it begins
    public Multi<OutboundSseEvent> changes(
            @Parameter(description = "Name of a namespace; absent: all in which you may get jobs")
                    @QueryParam("namespace")
                    @Nullable
                    String namespace,
            @Context Sse sse,
            @Context SecurityContext context) {
        Sight sight = Sight.of(context);
        Multi<LiveFeed.Update> updates = feed.updates(sight.reach(views, namespace));
        return (sight.visitor().isKnown() ? updates.select().first(LONGEST) : updates)
                .map(update -> sse.newEventBuilder()
                        .name(update.section())
                        .data(String.class, update.content())
                        .build());
    }
}

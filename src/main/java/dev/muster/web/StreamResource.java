package dev.muster.web;

import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Changes as server-sent events, at most two of each kind a second. */
@Path("/api/v1/stream")
@Tag(name = "Stream", description = "Changes as server-sent events.")
public class StreamResource {
    private final LiveFeed feed;

    public StreamResource(LiveFeed feed) {
        this.feed = feed;
    }

    /** The sections of the page as events: about, queues, nodeclasses, waiting, active. */
    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(
            summary = "Changes, live",
            description =
                    "Events about, queues, nodeclasses, waiting and active. Each carries the whole section as JSON,"
                            + " first all of them, then each when it has changed, at most twice a second.")
    public Multi<OutboundSseEvent> changes(@Context Sse sse) {
        return feed.updates()
                .map(update -> sse.newEventBuilder()
                        .name(update.section())
                        .data(String.class, update.content())
                        .build());
    }
}

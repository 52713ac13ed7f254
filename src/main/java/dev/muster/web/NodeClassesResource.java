package dev.muster.web;

import dev.muster.engine.Views;
import dev.muster.engine.Views.NodeClassView;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Node classes: their nodes, GPUs and free GPUs. */
@Path("/api/v1/nodeclasses")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Node classes", description = "Nodes, GPUs and free GPUs of each class.")
@Blocking
public class NodeClassesResource {
    private final Views views;

    public NodeClassesResource(Views views) {
        this.views = views;
    }

    /** All node classes, by name. */
    @GET
    @Operation(summary = "All node classes, by name, with their nodes")
    public List<NodeClassView> all() {
        return views.nodeClasses();
    }
}

package dev.muster.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.QueueView;

/**
 * Which parts of a view are shown to every account: not what is only there to be stored. Reservations name gangs of other
 * teams; a gang's own one stands with the gang.
 */
public final class Published {
    private Published() {}

    /** From now on the mapper writes what everybody may see. */
    public static void only(ObjectMapper json) {
        json.addMixIn(QueueView.class, WithoutMemory.class).addMixIn(NodeClassView.class, WithoutPromises.class);
    }

    @JsonIgnoreProperties("memory")
    private interface WithoutMemory {}

    @JsonIgnoreProperties("promises")
    private interface WithoutPromises {}
}

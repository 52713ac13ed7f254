package dev.muster.engine;

import dev.muster.core.model.PodFacts;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** News of pods, taken to everybody whom it concerns. */
final class PodNews {
    private final Ledger ledger;
    private final PodPlacing placing;
    private final NodeWatch nodes;
    private final Map<String, GangEntry> gangs;

    PodNews(Ledger ledger, PodPlacing placing, NodeWatch nodes, Map<String, GangEntry> gangs) {
        this.ledger = ledger;
        this.placing = placing;
        this.nodes = nodes;
        this.gangs = gangs;
    }

    /** A pod was created or changed. Returns the gang that has to be looked at; null for none. */
    @Nullable
    GangEntry seen(PodFacts pod) {
        ledger.put(pod);
        nodes.seen(pod);
        if (!pod.gated()) {
            placing.gone(pod.uid());
        }
        GangEntry entry =
                pod.membership() == null ? null : gangs.get(pod.membership().gangUid());
        if (entry != null && pod.report().lastCheckpoint().isPresent()) {
            Course course = entry.course();
            course.saved = Math.max(course.saved, pod.report().lastCheckpoint().getAsLong());
        }
        return entry;
    }

    /** A pod is gone. Returns the gang that has to be looked at; null for none. */
    @Nullable
    GangEntry gone(String uid) {
        placing.gone(uid);
        return gangs.get(ledger.removePod(uid));
    }
}

package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.core.model.NodeClass;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.Problems;
import java.util.Optional;

/** Judges a GpuNodeClass, as {@link ValidateQueue} judges queues. */
public final class ValidateClass {
    private ValidateClass() {}

    /** Decides about a request on gpunodeclasses. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        if (!(asked.creates() || asked.updates()) || asked.isLeaving()) {
            return Verdict.ALLOWED;
        }
        Problems problems = new Problems();
        Optional<GpuNodeClass> stored = Asked.as(GpuNodeClass.class, asked.object(), problems);
        NodeClass read = stored.isEmpty() ? null : ClassReader.read(stored.get(), problems);
        if (read == null || !problems.isEmpty()) {
            return Verdict.refused(problems.all());
        }
        return Verdict.warned(facts.nodeClasses().stream()
                .filter(other -> !other.name().equals(read.name()))
                .filter(other -> covers(other, read) || covers(read, other))
                .map(other -> "nodes may be in this class and in '" + other.name()
                        + "'; such a node counts for the first by name. Maybe add a label to the selector")
                .toList());
    }

    /** Whether every node of {@code narrow} is one of {@code wide} too. */
    private static boolean covers(NodeClass wide, NodeClass narrow) {
        return narrow.selector().entrySet().containsAll(wide.selector().entrySet());
    }
}

package dev.muster.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.api.TeamQueue;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.jobs.Problems;
import dev.muster.jobs.QueueReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges a TeamQueue. Its schema and rules stand in the CRD; here come the same problems in one answer where a schema is
 * missing, and warnings for what only the other objects show. Those are no refusals, because the order of applying is free.
 */
public final class ValidateQueue {
    private ValidateQueue() {}

    /** Decides about a request on teamqueues. */
    public static Verdict on(JsonNode request, DoorFacts facts) {
        Asked asked = new Asked(request);
        if (!(asked.creates() || asked.updates()) || asked.isLeaving()) {
            return Verdict.ALLOWED;
        }
        Problems problems = new Problems();
        Optional<TeamQueue> stored = Asked.as(TeamQueue.class, asked.object(), problems);
        Queue queue = stored.isEmpty() ? null : QueueReader.read(stored.get(), problems);
        if (queue == null || !problems.isEmpty()) {
            return Verdict.refused(problems.all());
        }
        if (queue.name().equals(queue.parent())) {
            return Verdict.refused(List.of(
                    "spec.parent is '" + queue.name() + "': a queue cannot be its own parent. Maybe remove it"));
        }
        return facts.isComplete() ? Verdict.warned(warnings(queue, facts)) : Verdict.ALLOWED;
    }

    private static List<String> warnings(Queue queue, DoorFacts facts) {
        List<String> warnings = new ArrayList<>();
        Set<String> line = new LinkedHashSet<>(Set.of(queue.name()));
        String above = queue.parent();
        while (above != null) {
            if (!line.add(above)) {
                warnings.add("the queue is part of a cycle: " + String.join(" -> ", line) + " -> " + above
                        + ". Its jobs wait until a parent is changed");
                break;
            }
            Optional<Queue> parent = facts.queue(above);
            if (parent.isEmpty()) {
                warnings.add("there is no TeamQueue '" + above
                        + "' yet, and jobs wait for it. Maybe see kubectl get teamqueues");
                break;
            }
            above = parent.get().parent();
        }
        Set<String> known = facts.nodeClasses().stream().map(NodeClass::name).collect(Collectors.toSet());
        queue.quotas().stream()
                .map(Queue.Quota::nodeClass)
                .distinct()
                .filter(name -> !known.contains(name))
                .forEach(name -> warnings.add("there is no GpuNodeClass '" + name
                        + "' yet, so its quota has no effect. Maybe see kubectl get gpunodeclasses"));
        return warnings;
    }
}

package dev.muster.kube;

import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.GpuNodeClassStatus.Gpus;
import dev.muster.api.GpuNodeClassStatus.NodeList;
import dev.muster.api.TeamQueueStatus;
import dev.muster.api.TeamQueueStatus.Usage;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.OddNodes;
import dev.muster.engine.Views.NodeClassView;
import dev.muster.engine.Views.Promise;
import dev.muster.engine.Views.QueueView;
import dev.muster.engine.Views.QuotaView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What the status of queues and node classes says, as pure functions of what is known; an unchanged state gives an equal status. */
final class Statuses {
    private Statuses() {}

    /** The status of a queue. {@code before} are its conditions as stored, whose times stay while nothing changes. */
    static TeamQueueStatus of(
            QueueView view, QueueMemory memory, long generation, List<Condition> before, Instant now) {
        boolean fine = view.problem().isEmpty();
        Condition ready = condition(
                "Ready",
                fine,
                fine ? "InTree" : "Broken",
                fine ? "gangs of this queue can be admitted" : view.problem(),
                generation,
                before,
                now);
        return new TeamQueueStatus(
                generation,
                view.waiting(),
                view.admitted() + view.running(),
                view.quotas().stream().map(Statuses::usage).toList(),
                StoredMemory.write(memory),
                List.of(ready));
    }

    /** The status of a node class among all classes and nodes. */
    static GpuNodeClassStatus of(
            NodeClass nodeClass,
            NodeClassView view,
            List<Promise> promises,
            Collection<NodeClass> classes,
            Collection<NodeFacts> nodes,
            long generation,
            List<Condition> before,
            Instant now) {
        OddNodes odds = OddNodes.of(nodeClass, classes, nodes);
        NodeList unclassified = list(odds.unclassified());
        NodeList ambiguous = list(odds.ambiguous());
        NodeList untainted = list(odds.untainted());
        boolean ready = view.readyNodes() > 0;
        List<String> odd = new ArrayList<>();
        tell(odd, unclassified, "nodes with " + nodeClass.resource() + " in no class, where no gang can be placed");
        tell(odd, ambiguous, "nodes in more than one class, counted for the first by name");
        tell(odd, untainted, "nodes without the taint of the class, to which pods of others may come");
        return new GpuNodeClassStatus(
                generation,
                view.nodes(),
                view.readyNodes(),
                new Gpus(view.gpus(), view.usedGpus()),
                view.missingNodes(),
                unclassified,
                ambiguous,
                untainted,
                StoredMemory.write(promises),
                List.of(
                        condition(
                                "Ready",
                                ready,
                                ready ? "NodesReady" : "NoNodeReady",
                                view.readyNodes() + " of " + view.nodes() + " nodes can take pods",
                                generation,
                                before,
                                now),
                        condition(
                                "Consistent",
                                odd.isEmpty(),
                                odd.isEmpty() ? "NodesClear" : "NodesOdd",
                                odd.isEmpty()
                                        ? "every node is in one class and tainted as it demands"
                                        : String.join("; ", odd),
                                generation,
                                before,
                                now)));
    }

    private static NodeList list(List<String> names) {
        return new NodeList(names.size(), names.subList(0, Math.min(names.size(), NodeList.MOST_NAMES)));
    }

    private static void tell(List<String> odd, NodeList nodes, String what) {
        if (nodes.count() > 0) {
            odd.add(what + ": " + nodes.count() + " (" + String.join(", ", nodes.names())
                    + (nodes.count() > nodes.names().size() ? ", ...)" : ")"));
        }
    }

    private static Usage usage(QuotaView quota) {
        return new Usage(
                quota.nodeClass(),
                quota.resource(),
                quantity(quota.resource(), quota.nominal()),
                quantity(quota.resource(), quota.used()));
    }

    private static Quantity quantity(String resource, long amount) {
        boolean millis = resource.equals(Amounts.CPU) && amount % 1000 != 0;
        return millis
                ? new Quantity(String.valueOf(amount), "m")
                : new Quantity(String.valueOf(resource.equals(Amounts.CPU) ? amount / 1000 : amount));
    }

    private static Condition condition(
            String type,
            boolean is,
            String reason,
            String message,
            long generation,
            List<Condition> before,
            Instant now) {
        String status = is ? "True" : "False";
        String since = before.stream()
                .filter(old -> type.equals(old.getType()) && status.equals(old.getStatus()))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
    }
}

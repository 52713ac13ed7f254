package dev.muster.core.decide;

import dev.muster.core.fleet.Finding.Shortfall;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.TopologyWish;
import dev.muster.core.model.Waiting;
import dev.muster.core.share.Dimensions.Dimension;
import dev.muster.core.share.Ledger;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says in one sentence with figures why a gang waits, and what would help. */
final class Sentences {
    private final Fleet fleet;
    private final Quotas quotas;

    Sentences(Fleet fleet, Quotas quotas) {
        this.fleet = fleet;
        this.quotas = quotas;
    }

    Waiting queueUnknown(Gang gang) {
        return new Waiting(
                Reason.QUEUE_UNKNOWN,
                "Queue " + gang.queue() + " does not exist.",
                "Create the TeamQueue " + gang.queue() + ", or submit the job again with another muster.dev/queue.");
    }

    Waiting queueBroken(Queue queue, String problem) {
        return new Waiting(
                Reason.QUEUE_BROKEN,
                "Queue " + queue.name() + " cannot be used: " + problem + ".",
                "Its owner, " + queue.owner() + ", can correct spec.parent.");
    }

    Waiting namespaceNotAllowed(Gang gang, Queue queue) {
        return new Waiting(
                Reason.NAMESPACE_NOT_ALLOWED,
                "Queue " + queue.name() + " takes no jobs from namespace " + gang.namespace() + ".",
                "Use another queue, or ask its owner, " + queue.owner() + ", to add the namespace.");
    }

    Waiting queueStopped(Queue queue) {
        return new Waiting(
                Reason.QUEUE_STOPPED,
                "Queue " + queue.name() + " admits nothing: its stop is set to "
                        + (queue.stop() == Queue.Stop.HOLD ? "Hold" : "Drain") + ".",
                "Its owner, " + queue.owner() + ", can set spec.stop to None.");
    }

    Waiting noCandidate(Gang gang, Candidates candidates) {
        Requirement unmet = candidates.unmet();
        if (candidates.areShared()) {
            return new Waiting(
                    Reason.NEVER_RUNNABLE,
                    "A member asks for more than 1 of the shared GPUs of " + names(candidates.shared())
                            + ", and would get parts of one GPU.",
                    "Ask for 1 for each member, or name a class of whole GPUs in muster.dev/node-classes.");
        }
        if (!candidates.barred().isEmpty() && unmet == null) {
            return new Waiting(
                    Reason.REQUIREMENT_UNMET,
                    "Node class " + names(candidates.barred()) + " does not serve what queue " + gang.queue()
                            + " is for.",
                    "Submit it to another queue, or ask whoever owns the class to add the purpose to spec.purposes.");
        }
        if (unmet != null) {
            return requirementUnmet(unmet, candidates.looked());
        }
        if (!candidates.unknown().isEmpty() && candidates.looked().isEmpty()) {
            return new Waiting(
                    Reason.NO_NODE_FITS,
                    "It asks for node class " + String.join(", ", candidates.unknown()) + ", which does not exist.",
                    "Existing node classes: " + names(fleet.classes()) + ".");
        }
        if (gang.devices() == 0
                && gang.nodeClasses().isEmpty()
                && !candidates.looked().isEmpty()) {
            return new Waiting(
                    Reason.NO_NODE_FITS,
                    "It asks for no GPU and names no node class, and classes with GPUs (" + names(candidates.looked())
                            + ") take such gangs only when named.",
                    "Leave the label muster.dev/queue out, so that it runs on other nodes; or set muster.dev/node-classes:"
                            + " it is then charged the GPUs that it makes unusable.");
        }
        String devices = gang.podsets().stream()
                .flatMap(podset -> podset.shape().requests().byResource().keySet().stream())
                .filter(Amounts::isDevice)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return new Waiting(
                Reason.QUOTA_EXHAUSTED,
                "Queue " + gang.queue() + " has no quota in any node class"
                        + (devices.isEmpty() ? "" : " that offers " + devices)
                        + (candidates.looked().isEmpty() ? "" : " (looked at " + names(candidates.looked()) + ")")
                        + ".",
                "Ask for a quota of " + (devices.isEmpty() ? "a node class" : devices) + " in this queue.");
    }

    private static Waiting requirementUnmet(Requirement unmet, List<NodeClass> looked) {
        String declared = looked.stream()
                .map(nodeClass ->
                        nodeClass.name() + " has " + nodeClass.facts().getOrDefault(unmet.fact(), "no " + unmet.fact()))
                .collect(Collectors.joining(", "));
        return new Waiting(
                Reason.REQUIREMENT_UNMET,
                "It requires " + unmet + "; " + declared + ".",
                "Lower the requirement and submit again, or declare a node class that meets it.");
    }

    Waiting quotaExhausted(Gang gang, NodeClass nodeClass, Refusal refusal) {
        Dimension dimension = quotas.tree().dimensions().get(refusal.dim());
        String resource = dimension.resource();
        boolean firm = refusal.kind() == LedgerKind.FIRM;
        // a firm gang may use its own queue's quota only, so that is the one to speak of
        int node = firm ? quotas.tree().indexOf(gang.queue()) : refusal.node();
        Ledger firmUse = quotas.standing().committedFirm();
        long used = firm ? firmUse.used(node, refusal.dim()) : refusal.used();
        long left = firm ? firmUse.available(node, refusal.dim()) : Math.max(0, refusal.limit() - used);
        // more than it has may be in use, after its quota was lowered
        long has = firm
                ? Math.min(used + left, quotas.tree().potential(LedgerKind.FIRM, node, refusal.dim()))
                : refusal.limit();
        String queue = quotas.tree().name(node);
        String above = queue.equals(gang.queue()) ? "" : ", above " + gang.queue() + ",";
        long asked = quotas.charge(gang, nodeClass.name()).get(resource);
        return new Waiting(
                Reason.QUOTA_EXHAUSTED,
                "Queue " + queue + above + " uses " + amount(resource, used) + " of its "
                        + amount(resource, has) + " " + unit(dimension.nodeClass(), resource)
                        + (firm ? " for work that is not interruptible" : "")
                        + "; this gang needs " + amount(resource, asked) + unusable(gang, nodeClass, resource, asked)
                        + " and " + amount(resource, left)
                        + (left == 1 ? " is left." : " are left."),
                "It starts when gangs of the queue end, or when its quota is raised by "
                        + amount(resource, refusal.missing()) + "."
                        + (firm ? " Or mark it muster.dev/interruptible: \"true\": then it may borrow." : ""));
    }

    /** Why a gang is charged more GPUs than it asks; empty when it is not. */
    private static String unusable(Gang gang, NodeClass nodeClass, String resource, long charged) {
        long asked = gang.total().get(resource);
        return resource.equals(nodeClass.resource()) && charged > asked
                ? " (it asks for " + asked + "; the CPUs, memory or other resources that it takes make " + charged
                        + " unusable)"
                : "";
    }

    Waiting neverWithinQuota(Gang gang, NodeClass nodeClass, Refusal refusal) {
        Dimension dimension = quotas.tree().dimensions().get(refusal.dim());
        String resource = dimension.resource();
        long asked = quotas.charge(gang, nodeClass.name()).get(resource);
        long most = quotas.tree().potential(refusal.kind(), quotas.tree().indexOf(gang.queue()), refusal.dim());
        return new Waiting(
                Reason.NEVER_RUNNABLE,
                "It needs " + amount(resource, asked) + " " + unit(dimension.nodeClass(), resource)
                        + unusable(gang, nodeClass, resource, asked) + ", but queue "
                        + gang.queue() + " can use at most " + amount(resource, most)
                        + (gang.interruptible() ? "." : " for work that is not interruptible."),
                gang.interruptible()
                        ? "Make the gang smaller, or ask for more quota."
                        : "Make the gang smaller, mark it interruptible so that it may borrow, or ask for more quota.");
    }

    Waiting reservedForOthers(NodeClass nodeClass, Reserved.For holder) {
        boolean dated = holder.at() < Long.MAX_VALUE;
        return new Waiting(
                Reason.RESERVED_FOR_OTHERS,
                "Node class " + nodeClass.name() + " has room for it now, but it would delay " + holder.title()
                        + (dated
                                ? ", which is promised a start by " + Instant.ofEpochMilli(holder.at()) + "."
                                : ", for which nodes are being collected."),
                dated
                        ? "A shorter muster.dev/max-runtime, so that it ends before, lets it start now."
                        : "It starts when that gang has its nodes.");
    }

    Waiting keptForServing(NodeClass nodeClass, Headroom.Kept kept) {
        return new Waiting(
                Reason.KEPT_FOR_SERVING,
                "Of the GPUs of node class " + nodeClass.name() + ", " + kept.free()
                        + " are not held by firm work, and serving queues ("
                        + kept.queue().name()
                        + " first) keep " + kept.kept() + " of them for scale-up.",
                "Mark it interruptible: such work may use them meanwhile.");
    }

    Waiting waitingForStopping(NodeClass nodeClass) {
        return new Waiting(
                Reason.WAITING_FOR_VICTIMS,
                "Room in node class " + nodeClass.name() + " is being freed by gangs that are stopping.",
                "It starts when they have left.");
    }

    Waiting waitingForVictims(String nodeClass, List<String> titles) {
        int shown = Math.min(3, titles.size());
        return new Waiting(
                Reason.WAITING_FOR_VICTIMS,
                "It has claimed its place in node class " + nodeClass + " and waits for "
                        + String.join(", ", titles.subList(0, shown))
                        + (shown < titles.size() ? " and " + (titles.size() - shown) + " more" : "") + " to stop.",
                "It starts when they have left.");
    }

    Waiting isMoved(String nodeClass) {
        return new Waiting(
                Reason.WAITING_FOR_VICTIMS,
                "It was moved, and its new place in node class " + nodeClass + " is not free yet.",
                "It starts as soon as the place is free, within 2 minutes; else it waits in its queue again.");
    }

    Waiting waitingForMoves(String nodeClass, List<String> titles) {
        int shown = Math.min(3, titles.size());
        String others = String.join(", ", titles.subList(0, shown))
                + (shown < titles.size() ? " and " + (titles.size() - shown) + " more" : "");
        return new Waiting(
                Reason.WAITING_FOR_VICTIMS,
                "It has quota, and its place in node class " + nodeClass + " is made free by moving " + others + ".",
                "It starts when they have left; they start again on other nodes.");
    }

    Waiting neverOnFleet(Gang gang, NodeClass nodeClass) {
        long most = fleet.standings(nodeClass.name()).stream()
                .mapToLong(Fleet.Standing::gpus)
                .max()
                .orElse(0);
        String asked = gang.podsets().stream()
                .map(podset -> members(podset, nodeClass.resource()))
                .collect(Collectors.joining(" and "));
        Optional<String> level = requiredLevel(gang);
        return new Waiting(
                Reason.NEVER_RUNNABLE,
                "It asks for " + asked + "; node class " + nodeClass.name() + " has "
                        + fleet.standings(nodeClass.name()).size() + " nodes of at most " + most + " GPUs"
                        + (nodeClass.scaling() == null ? "" : ", grows to " + largest(nodeClass.scaling()) + ",")
                        + " and could not hold it"
                        + level.map(key -> " in one " + key).orElse("") + " even when empty.",
                "Use smaller or fewer pods, fewer CPUs or less memory per pod, "
                        + level.map(key -> "a wider level of topology, ").orElse("") + "or another node class.");
    }

    /** The topology level in one domain of which some members have to be; empty when none have. */
    private static Optional<String> requiredLevel(Gang gang) {
        return gang.podsets().stream()
                .flatMap(podset -> Stream.ofNullable(podset.topology()))
                .filter(TopologyWish::required)
                .map(TopologyWish::level)
                .findFirst();
    }

    Waiting waitingForCapacity(NodeClass nodeClass, int newNodes, boolean quotaIsThere) {
        NodeClass.Scaling scaling = nodeClass.scaling();
        int present = fleet.standings(nodeClass.name()).size();
        return new Waiting(
                Reason.WAITING_FOR_CAPACITY,
                "Node class " + nodeClass.name() + " has " + present + (present == 1 ? " node" : " nodes")
                        + " and can hold it only with " + newNodes + " more"
                        + (scaling == null
                                ? "."
                                : " of " + scaling.shape().get(nodeClass.resource()) + " GPUs; a new node takes about "
                                        + QueueTerms.span(scaling.leadTime()) + "."),
                "It starts when they have joined" + (quotaIsThere ? "" : " and others have left its quota")
                        + (scaling == null ? "." : "; the class grows to " + largest(scaling) + "."));
    }

    private static String largest(NodeClass.Scaling scaling) {
        return scaling.maxNodes().isEmpty()
                ? "any number of nodes"
                : "at most " + scaling.maxNodes().getAsInt() + " nodes";
    }

    Waiting noPlaceEvenWithout(NodeClass nodeClass, Shortfall shortfall, int victims) {
        Waiting noPlace = noPlace(nodeClass, shortfall);
        return new Waiting(
                noPlace.reason(),
                "Even without the " + victims + (victims == 1 ? " gang" : " gangs") + " that it may preempt: "
                        + noPlace.sentence(),
                noPlace.help());
    }

    /** Nodes that still name the class's resource, though they are in a class that counts another one: old names stay. */
    private String laidOutOtherwise(NodeClass nodeClass) {
        Map<String, Integer> others = new TreeMap<>();
        for (NodeFacts node : fleet.knownNodes()) {
            String home = fleet.classOf(node.name());
            String counted = fleet.nodeClass(home).map(NodeClass::resource).orElse(nodeClass.resource());
            if (node.allocatable().get(nodeClass.resource()) > 0 && !counted.equals(nodeClass.resource())) {
                others.merge("class " + home + ", which counts " + counted, 1, Integer::sum);
            }
        }
        return others.entrySet().stream()
                .map(other -> " " + other.getValue()
                        + (other.getValue() == 1 ? " node that still names " : " nodes that still name ")
                        + nodeClass.resource() + (other.getValue() == 1 ? " is" : " are") + " in " + other.getKey()
                        + ".")
                .collect(Collectors.joining());
    }

    Waiting noPlace(NodeClass nodeClass, Shortfall shortfall) {
        String name = nodeClass.name();
        String podset = shortfall.members() + " x " + shortfall.perMember() + " GPUs";
        return switch (shortfall.cause()) {
            case NO_NODES ->
                new Waiting(
                        Reason.NO_NODE_FITS,
                        "Node class " + name + " has no nodes now." + laidOutOtherwise(nodeClass),
                        "It starts when nodes join the class.");
            case NONE_ACCEPTS ->
                new Waiting(
                        Reason.NO_NODE_FITS,
                        "No node of class " + name + " accepts the pods of " + shortfall.podset()
                                + ": their node selector, affinity or tolerations suit none.",
                        "Correct nodeSelector, affinity or tolerations of the pod template.");
            case TOO_FEW_GPUS ->
                new Waiting(
                        Reason.NO_NODE_FITS,
                        "It needs " + podset + "; " + shortfall.freeGpus()
                                + (shortfall.freeGpus() == 1 ? " GPU is" : " GPUs are") + " free on the "
                                + shortfall.usableNodes() + " usable nodes of class " + name + ".",
                        "It starts when gangs end; or ask for fewer GPUs.");
            case SCATTERED ->
                new Waiting(
                        Reason.FRAGMENTED,
                        "It needs " + podset + "; " + shortfall.freeGpus() + " GPUs are free in class " + name
                                + ", but only " + shortfall.placeable() + " of its " + shortfall.members()
                                + " members find " + shortfall.perMember() + " on one node.",
                        "It starts when whole nodes become free; or use more members with fewer GPUs each.");
            case OTHER_RESOURCE ->
                new Waiting(
                        Reason.NO_NODE_FITS,
                        "Class " + name + " has the GPUs, but too little " + shortfall.scarce() + " beside them: "
                                + shortfall.placeable() + " of " + shortfall.members() + " members of "
                                + shortfall.podset() + " have a place.",
                        "Ask for less " + shortfall.scarce() + " per pod, or wait until pods end.");
            case NO_DOMAIN ->
                new Waiting(
                        Reason.TOPOLOGY_TOO_SMALL,
                        "No topology domain of class " + name + " holds " + podset + " now.",
                        "Use a wider level, or preferred instead of required.");
        };
    }

    private String unit(String nodeClass, String resource) {
        boolean gpu = fleet.nodeClass(nodeClass)
                .filter(c -> c.resource().equals(resource))
                .isPresent();
        return nodeClass + (gpu ? " GPUs" : " " + resource);
    }

    private static String members(PodSet podset, String gpu) {
        return podset.count() + " x "
                + podset.shape().requests().byResource().entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(Amounts.PODS))
                        .map(entry -> entry.getKey().equals(gpu)
                                ? entry.getValue() + " GPUs"
                                : amount(entry.getKey(), entry.getValue()) + " " + entry.getKey())
                        .collect(Collectors.joining(" + "));
    }

    /** An amount as users write it: cores for CPU, binary units for memory. */
    static String amount(String resource, long amount) {
        if (resource.equals(Amounts.CPU)) {
            return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
        }
        if (resource.equals(Amounts.MEMORY) || resource.endsWith("storage")) {
            String[] units = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
            int unit = 0;
            long rest = amount;
            while (unit < units.length - 1 && rest >= 1024 && rest % 1024 == 0) {
                rest /= 1024;
                unit++;
            }
            return rest + units[unit];
        }
        return Long.toString(amount);
    }

    private static String names(List<NodeClass> classes) {
        return classes.isEmpty()
                ? "none"
                : classes.stream().map(NodeClass::name).collect(Collectors.joining(", "));
    }
}

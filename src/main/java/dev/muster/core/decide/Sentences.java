package dev.muster.core.decide;

import dev.muster.core.decide.QuotaBook.Shortage;
import dev.muster.core.fleet.Finding.Shortfall;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Requirement;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.stream.Collectors;

/** Says in one sentence with figures why a gang waits, and what would help. */
final class Sentences {
    private final Fleet fleet;

    Sentences(Fleet fleet) {
        this.fleet = fleet;
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

    Waiting requirementUnmet(Gang gang, Requirement unmet, List<NodeClass> looked) {
        String declared = looked.stream()
                .map(nodeClass ->
                        nodeClass.name() + " has " + nodeClass.facts().getOrDefault(unmet.fact(), "no " + unmet.fact()))
                .collect(Collectors.joining(", "));
        return new Waiting(
                Reason.REQUIREMENT_UNMET,
                "It requires " + unmet + "; " + declared + ".",
                "Lower the requirement and submit again, or declare a node class that meets it.");
    }

    Waiting noCandidate(Gang gang, List<NodeClass> looked, List<String> unknown) {
        if (!unknown.isEmpty() && looked.isEmpty()) {
            return new Waiting(
                    Reason.NO_NODE_FITS,
                    "It asks for node class " + String.join(", ", unknown) + ", which does not exist.",
                    "Existing node classes: " + names(fleet.classes()) + ".");
        }
        String devices = gang.podsets().stream()
                .flatMap(podset -> podset.shape().requests().byResource().keySet().stream())
                .filter(Sentences::isDevice)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return new Waiting(
                Reason.QUOTA_EXHAUSTED,
                "Queue " + gang.queue() + " has no quota in any node class"
                        + (devices.isEmpty() ? "" : " that offers " + devices)
                        + (looked.isEmpty() ? "" : " (looked at " + names(looked) + ")") + ".",
                "Ask for a quota of " + (devices.isEmpty() ? "a node class" : devices) + " in this queue.");
    }

    Waiting noClass(Gang gang) {
        return noCandidate(gang, List.of(), List.of());
    }

    Waiting quotaExhausted(Shortage shortage) {
        String unit = unit(shortage.nodeClass(), shortage.resource());
        long left = Math.max(0, shortage.nominal() - shortage.used());
        return new Waiting(
                Reason.QUOTA_EXHAUSTED,
                "Queue " + shortage.queue() + " uses " + amount(shortage.resource(), shortage.used()) + " of its "
                        + amount(shortage.resource(), shortage.nominal()) + " " + unit + "; this gang needs "
                        + amount(shortage.resource(), shortage.asked()) + " and "
                        + amount(shortage.resource(), left) + (left == 1 ? " is left." : " are left."),
                "It starts when gangs of the queue end, or when its nominal quota is raised by "
                        + amount(shortage.resource(), shortage.asked() - left) + ".");
    }

    Waiting neverWithinQuota(Shortage shortage) {
        String unit = unit(shortage.nodeClass(), shortage.resource());
        return new Waiting(
                Reason.NEVER_RUNNABLE,
                "It needs " + amount(shortage.resource(), shortage.asked()) + " " + unit + ", but queue "
                        + shortage.queue() + " has a nominal quota of "
                        + amount(shortage.resource(), shortage.nominal()) + ".",
                "Make the gang smaller, or ask for more quota.");
    }

    Waiting neverOnFleet(Gang gang, NodeClass nodeClass) {
        long most = fleet.standings(nodeClass.name()).stream()
                .mapToLong(Fleet.Standing::gpus)
                .max()
                .orElse(0);
        String asked = gang.podsets().stream()
                .map(podset -> members(podset, nodeClass.resource()))
                .collect(Collectors.joining(" and "));
        return new Waiting(
                Reason.NEVER_RUNNABLE,
                "It asks for " + asked + "; node class " + nodeClass.name() + " has "
                        + fleet.standings(nodeClass.name()).size() + " nodes of at most " + most
                        + " GPUs and could not hold it even when empty.",
                "Use smaller or fewer pods, fewer CPUs or less memory per pod, or another node class.");
    }

    Waiting noPlace(NodeClass nodeClass, Shortfall shortfall) {
        String name = nodeClass.name();
        String podset = shortfall.members() + " x " + shortfall.perMember() + " GPUs";
        return switch (shortfall.cause()) {
            case NO_NODES ->
                new Waiting(
                        Reason.NO_NODE_FITS,
                        "Node class " + name + " has no nodes now.",
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

    /** Whether a resource is a device: extended resources have a domain in their name. */
    static boolean isDevice(String resource) {
        return resource.indexOf('/') >= 0;
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

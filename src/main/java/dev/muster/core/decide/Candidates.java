package dev.muster.core.decide;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The node classes that a gang may use, in its order: those that it names, else all by name, that meet its requirements,
 * offer the devices that it asks and in which its queue, or one above it, has quota.
 *
 * @param classes in the order in which they are tried
 * @param looked all classes that were looked at
 * @param unmet the first requirement that kept a class out; null when none did
 * @param unknown names of wished classes that do not exist
 * @param barred classes that do not serve the purpose of its queue
 * @param shared classes of shared units of which a member asks more than one
 */
record Candidates(
        List<NodeClass> classes,
        List<NodeClass> looked,
        @Nullable Requirement unmet,
        List<String> unknown,
        List<NodeClass> barred,
        List<NodeClass> shared) {
    static Candidates of(Gang gang, Fleet fleet, Quotas quotas) {
        List<NodeClass> looked = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        if (gang.nodeClasses().isEmpty()) {
            looked.addAll(fleet.classes());
        } else {
            gang.nodeClasses()
                    .forEach(name -> fleet.nodeClass(name).ifPresentOrElse(looked::add, () -> unknown.add(name)));
        }
        List<NodeClass> classes = new ArrayList<>();
        List<NodeClass> barred = new ArrayList<>();
        List<NodeClass> shared = new ArrayList<>();
        Queue queue = quotas.get(gang.queue());
        @Nullable Requirement unmet = null;
        for (NodeClass nodeClass : looked) {
            Optional<Requirement> first = gang.requirements().stream()
                    .filter(requirement -> !Facts.meet(nodeClass.facts(), requirement))
                    .findFirst();
            if (first.isPresent()) {
                unmet = unmet == null ? first.get() : unmet;
            } else if (offers(nodeClass, gang, quotas.gpuResources()) && quotas.names(gang.queue(), nodeClass.name())) {
                boolean serves = queue == null || nodeClass.serves(queue.purpose());
                (!serves ? barred : asksSharedUnits(nodeClass, gang) ? shared : classes).add(nodeClass);
            }
        }
        return new Candidates(classes, looked, unmet, unknown, barred, shared);
    }

    /** Two units of one member may be of the same GPU. */
    private static boolean asksSharedUnits(NodeClass nodeClass, Gang gang) {
        return nodeClass.sharing().isShared()
                && gang.podsets().stream()
                        .anyMatch(podset -> podset.shape().requests().get(nodeClass.resource()) > 1);
    }

    /** Whether there is no class for it, and there would be one if it asked for one unit a member. */
    boolean areShared() {
        return classes.isEmpty() && !shared.isEmpty() && unknown.isEmpty();
    }

    /** What one gang is charged in each of the classes, in their order. */
    List<Map.Entry<String, Amounts>> charges(Gang gang, Quotas quotas) {
        return classes.stream()
                .map(nodeClass -> Map.entry(nodeClass.name(), quotas.charge(gang, nodeClass.name())))
                .toList();
    }

    /**
     * A class offers what the gang asks if the gang asks for no other class's GPU; other devices, such as network cards, are
     * a matter of its nodes. A gang without GPUs goes to nodes with GPUs only if it names their class; it is charged the GPUs
     * that it makes unusable there.
     */
    private static boolean offers(NodeClass nodeClass, Gang gang, Set<String> gpuResources) {
        Amounts total = gang.total();
        if (gang.gpus(gpuResources) == 0) {
            boolean named = !gang.nodeClasses().isEmpty();
            return named || gang.devices() == 0 && !Amounts.isDevice(nodeClass.resource());
        }
        return gpuResources.stream().allMatch(gpu -> gpu.equals(nodeClass.resource()) || total.get(gpu) == 0);
    }
}

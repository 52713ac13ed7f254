package dev.muster.core.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All pods of one job, admitted together: what it asks, as its stored job says.
 *
 * @param uid the job's UID, its only identity
 * @param queue name of the queue it was submitted to
 * @param priority order inside its queue; higher goes first
 * @param interruptible whether it may borrow and be preempted; otherwise it is firm
 * @param submittedAt milliseconds since the epoch at which the job was stored, or the first of those that it replaces
 * @param podsets at least one, in the order of the kind's descriptor
 * @param nodeClasses names of acceptable node classes, best first; empty means every class that offers what is asked
 * @param requirements demands on the facts of the node class, all of which must hold
 * @param maxRuntime bound of the run time over all attempts, in milliseconds; empty when none is known
 */
public record Gang(
        String uid,
        String namespace,
        String name,
        String queue,
        int priority,
        boolean interruptible,
        long submittedAt,
        List<PodSet> podsets,
        List<String> nodeClasses,
        List<Requirement> requirements,
        OptionalLong maxRuntime) {
    public Gang {
        podsets = List.copyOf(podsets);
        nodeClasses = List.copyOf(nodeClasses);
        requirements = List.copyOf(requirements);
        if (podsets.isEmpty()) {
            throw new IllegalArgumentException("gang " + namespace + "/" + name + " has no podset");
        }
    }

    /** The same gang when its waiting counts from another time, in milliseconds since the epoch. */
    public Gang submitted(long at) {
        return at == submittedAt
                ? this
                : new Gang(
                        uid,
                        namespace,
                        name,
                        queue,
                        priority,
                        interruptible,
                        at,
                        podsets,
                        nodeClasses,
                        requirements,
                        maxRuntime);
    }

    /** GPUs that all members ask together; {@code resources} are those that some node class names as its GPU. */
    public long gpus(Set<String> resources) {
        long gpus = 0;
        for (PodSet podset : podsets) {
            for (String resource : resources) {
                long each = podset.shape().requests().get(resource);
                gpus = Math.addExact(gpus, Math.multiplyExact(each, (long) podset.count()));
            }
        }
        return gpus;
    }

    /** Devices of any kind, GPUs and network cards alike, that all members ask together. */
    public long devices() {
        long devices = 0;
        for (Map.Entry<String, Long> asked : total().byResource().entrySet()) {
            devices += Amounts.isDevice(asked.getKey()) ? asked.getValue() : 0;
        }
        return devices;
    }

    /** Requests of all members of all podsets. */
    public Amounts total() {
        return podsets.stream().map(PodSet::total).reduce(Amounts.NONE, Amounts::plus);
    }
}

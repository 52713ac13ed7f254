package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * GPUs that queues keep free of other queues' firm work, so that a service can grow ({@code reserve} of a quota).
 *
 * <p>What is kept beside the queue's present use is the reserve, but no more than its nominal leaves. Interruptible work may
 * use it meanwhile, for it can be stopped. Totals are compared, not places. A queue with children keeps nothing.
 */
final class Headroom {
    private final Map<String, String> gpuOfClass;
    private final Map<String, List<Reserve>> reserves = new HashMap<>();
    /** Firm GPUs that are committed, by node class and queue. */
    private final Map<String, Map<String, Long>> firm = new HashMap<>();
    /** Interruptible GPUs that are committed, by node class. */
    private final Map<String, Long> interruptible = new HashMap<>();

    private record Reserve(Queue queue, Queue.Quota quota) {}

    /**
     * What keeps a firm gang out.
     *
     * @param queue the first queue by name that keeps something
     * @param kept what all other queues keep together, in GPUs
     * @param free GPUs of the class that firm work does not hold
     */
    record Kept(Queue queue, long kept, long free) {}

    /** Nobody is committed yet; queues in the order of their names. */
    Headroom(Collection<Queue> queues, Map<String, String> gpuOfClass) {
        this.gpuOfClass = Map.copyOf(gpuOfClass);
        Set<String> parents =
                queues.stream().map(Queue::parent).filter(Objects::nonNull).collect(Collectors.toSet());
        for (Queue queue : queues) {
            for (Queue.Quota quota : queue.quotas()) {
                if (quota.reserve() > 0
                        && !parents.contains(queue.name())
                        && quota.resource().equals(gpuOfClass.get(quota.nodeClass()))) {
                    reserves.computeIfAbsent(quota.nodeClass(), name -> new ArrayList<>())
                            .add(new Reserve(queue, quota));
                }
            }
        }
    }

    /** A gang is committed, or not any more when the sign is negative. */
    void enter(Commitment gang, int sign) {
        if (!gang.firm()) {
            gang.charges()
                    .forEach((nodeClass, charge) ->
                            interruptible.merge(nodeClass, sign * gpus(nodeClass, charge), Long::sum));
        } else {
            gang.charges()
                    .forEach((nodeClass, charge) -> firm.computeIfAbsent(nodeClass, name -> new HashMap<>())
                            .merge(
                                    gang.queue(),
                                    sign * gpus(nodeClass, charge),
                                    (one, other) -> one + other == 0 ? null : one + other));
        }
    }

    private long gpus(String nodeClass, Amounts charge) {
        return charge.get(gpuOfClass.getOrDefault(nodeClass, ""));
    }

    /** Whether some queue keeps GPUs of a class. */
    boolean isKept(String nodeClass) {
        return reserves.containsKey(nodeClass);
    }

    /**
     * Why a firm gang of a queue may not take a charge of a class; null when it may.
     *
     * @param unused GPUs of usable nodes to which nobody is committed
     */
    @Nullable
    Kept against(String queue, String nodeClass, Amounts charge, long unused) {
        Map<String, Long> held = firm.getOrDefault(nodeClass, Map.of());
        long free = unused + interruptible.getOrDefault(nodeClass, 0L);
        long kept = 0;
        Queue first = null;
        for (Reserve reserve : reserves.getOrDefault(nodeClass, List.of())) {
            String name = reserve.queue.name();
            long left = reserve.quota.nominal() - held.getOrDefault(name, 0L);
            long keeps = name.equals(queue) ? 0 : Math.max(0, Math.min(reserve.quota.reserve(), left));
            kept += keeps;
            first = first == null && keeps > 0 ? reserve.queue : first;
        }
        long gpus = gpus(nodeClass, charge);
        return first != null && gpus > 0 && gpus > free - kept ? new Kept(first, kept, free) : null;
    }

    /** Whether a queue's firm GPUs of a class stay within its own nominal with one charge more. */
    boolean isWithinNominal(Queue queue, String nodeClass, Amounts charge) {
        long held = firm.getOrDefault(nodeClass, Map.of()).getOrDefault(queue.name(), 0L);
        String gpu = gpuOfClass.getOrDefault(nodeClass, "");
        return queue.quotas().stream()
                .filter(quota ->
                        quota.nodeClass().equals(nodeClass) && quota.resource().equals(gpu))
                .anyMatch(quota -> held + charge.get(gpu) <= quota.nominal());
    }
}

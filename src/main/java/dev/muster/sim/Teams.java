package dev.muster.sim;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Quota for the teams of a trace in proportion to their work. */
public final class Teams {
    private Teams() {}

    /**
     * A root without quota of its own, and below it one queue for each team. A team's quota is its part of all work, but never
     * less than its largest job; together they are not more than {@code gpus}.
     *
     * @param borrowing whether teams may use what others leave
     */
    public static List<Queue> queues(Trace trace, long gpus, boolean borrowing) {
        List<Queue> queues = new ArrayList<>();
        queues.add(Cell.queue("root", null, 0));
        quotas(trace, gpus)
                .forEach((team, quota) -> queues.add(borrowing ? Cell.queue(team, "root", quota) : fixed(team, quota)));
        return queues;
    }

    private static Queue fixed(String team, long quota) {
        Queue free = Cell.queue(team, "root", quota);
        List<Queue.Quota> quotas = free.quotas().stream()
                .map(of -> new Queue.Quota(
                        of.nodeClass(), of.resource(), of.nominal(), OptionalLong.of(0), OptionalLong.empty(), 0))
                .toList();
        return new Queue(
                free.name(),
                free.parent(),
                free.owner(),
                free.weight(),
                free.namespaces(),
                quotas,
                free.limits(),
                free.preemption(),
                free.stop(),
                free.unspecific());
    }

    /** The largest scale at which the sum of max(largest job, part * scale) is within what there is, in thousandths. */
    private static Map<String, Long> quotas(Trace trace, long gpus) {
        Map<String, Long> work = new TreeMap<>();
        Map<String, Long> largest = new TreeMap<>();
        long all = 0;
        for (TraceJob job : trace.jobs()) {
            work.merge(job.queue(), job.work() / 1_000, Long::sum);
            largest.merge(job.queue(), (long) job.gpus(), Math::max);
            all += job.work() / 1_000;
        }
        Map<String, Long> quotas = new TreeMap<>(largest);
        for (long scale = gpus * 1_000; scale > 0; scale -= 1_000) {
            for (Map.Entry<String, Long> quota : quotas.entrySet()) {
                long part = Math.multiplyExact(work.getOrDefault(quota.getKey(), 0L), scale) / Math.max(1, all) / 1_000;
                quota.setValue(Math.max(largest.getOrDefault(quota.getKey(), 0L), part));
            }
            if (quotas.values().stream().mapToLong(Long::longValue).sum() <= gpus) {
                break;
            }
        }
        return quotas;
    }
}

package dev.muster.sim;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what a replay does, by sums of its own: the engine's books are not asked. */
final class Tally {
    private final Cell cell;
    private final long lastSubmission;
    private final List<Measured.Run> runs = new ArrayList<>();
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Integer> usedByNode = new HashMap<>();
    private final long quota;
    private long used;
    private long usedGpuMillis;
    private int preemptions;
    private long lostGpuMillis;
    private int overshoots;

    private record Entry(int gpusPerMember, Admission admission, int gpus, long since) {}

    Tally(Cell cell, long lastSubmission) {
        this.cell = cell;
        this.lastSubmission = lastSubmission;
        quota = cell.queues().stream()
                .flatMap(queue -> queue.quotas().stream())
                .mapToLong(dev.muster.core.model.Queue.Quota::nominal)
                .sum();
    }

    void enter(String uid, int gpusPerMember, Admission admission, long now) {
        int gpus = 0;
        for (PodSetPlace place : admission.podsets()) {
            gpus += place.count() * gpusPerMember;
        }
        entries.put(uid, new Entry(gpusPerMember, admission, gpus, now));
        used += gpus;
        book(admission, gpusPerMember);
        overshoots += used > quota ? 1 : 0;
    }

    void leave(String uid, long now) {
        Entry entry = entries.remove(uid);
        if (entry == null) {
            throw new IllegalStateException("gang " + uid + " leaves, but never came");
        }
        used -= entry.gpus;
        book(entry.admission, -entry.gpusPerMember);
        long until = Math.min(now, lastSubmission);
        usedGpuMillis += entry.gpus * Math.max(0, until - entry.since);
    }

    private void book(Admission admission, int gpusPerMember) {
        for (PodSetPlace place : admission.podsets()) {
            for (NodeSlots slots : place.nodes()) {
                int onNode = usedByNode.merge(slots.node(), slots.members() * gpusPerMember, Integer::sum);
                overshoots += onNode > cell.gpusPerNode() ? 1 : 0;
            }
        }
    }

    void lost(long gpuMillis) {
        preemptions++;
        lostGpuMillis += gpuMillis;
    }

    void ran(Measured.Run run) {
        runs.add(run);
    }

    Measured measured(int unstarted, long cycles) {
        long all = Math.max(1, cell.gpus() * lastSubmission);
        return new Measured(
                runs,
                unstarted,
                Math.round(100.0 * usedGpuMillis / all),
                preemptions,
                lostGpuMillis / 1_000,
                overshoots,
                cycles);
    }
}

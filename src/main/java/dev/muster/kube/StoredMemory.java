package dev.muster.kube;

import dev.muster.api.GpuNodeClassStatus;
import dev.muster.api.GpuNodeClassStatus.NodeList;
import dev.muster.api.TeamQueueStatus;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.decide.reserve.Reservation.Cause;
import dev.muster.core.decide.reserve.RunTimes;
import dev.muster.engine.Views.Promise;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the engine remembers, as it stands in the status of queues and node classes. What cannot be read is forgotten. */
final class StoredMemory {
    private StoredMemory() {}

    static TeamQueueStatus.@Nullable Remembered write(QueueMemory memory) {
        if (memory.equals(QueueMemory.NONE)) {
            return null;
        }
        QueueMemory.Borrowed past = memory.pastUse();
        List<TeamQueueStatus.RunTimes> times = new ArrayList<>();
        new TreeMap<>(memory.runTimes())
                .forEach((size, known) -> times.add(new TeamQueueStatus.RunTimes(
                        size, known.day(), known.samples(), withoutTail(known.weights()))));
        return new TeamQueueStatus.Remembered(
                past == null
                        ? null
                        : new TeamQueueStatus.PastUse(past.epoch(), past.history(), past.added(), past.second()),
                times);
    }

    private static List<Long> withoutTail(List<Long> weights) {
        int end = weights.size();
        while (end > 0 && weights.get(end - 1) == 0) {
            end--;
        }
        return weights.subList(0, end);
    }

    /** A status, with what was stored of the past where it says nothing about it: nothing that is learned is taken away. */
    static TeamQueueStatus keeping(@Nullable TeamQueueStatus stored, TeamQueueStatus due) {
        TeamQueueStatus.Remembered before = stored == null ? null : stored.remembered();
        TeamQueueStatus.Remembered now = due.remembered();
        if (before == null) {
            return due;
        }
        TeamQueueStatus.Remembered kept = now == null
                ? before
                : new TeamQueueStatus.Remembered(
                        now.pastUse() == null ? before.pastUse() : now.pastUse(),
                        now.runTimes().isEmpty() ? before.runTimes() : now.runTimes());
        return new TeamQueueStatus(
                due.observedGeneration(), due.waiting(), due.admitted(), due.usage(), kept, due.conditions());
    }

    static QueueMemory read(@Nullable TeamQueueStatus status) {
        TeamQueueStatus.Remembered stored = status == null ? null : status.remembered();
        if (stored == null) {
            return QueueMemory.NONE;
        }
        TeamQueueStatus.PastUse past = stored.pastUse();
        Map<Integer, RunTimes> times = new HashMap<>();
        for (TeamQueueStatus.RunTimes known : stored.runTimes()) {
            List<Long> weights = new ArrayList<>(RunTimes.NONE.weights());
            for (int i = 0; i < Math.min(weights.size(), known.weights().size()); i++) {
                weights.set(i, known.weights().get(i));
            }
            times.put(known.upToGpus(), new RunTimes(known.day(), known.samples(), weights));
        }
        return new QueueMemory(
                past == null
                        ? null
                        : new QueueMemory.Borrowed(past.epoch(), past.history(), past.added(), past.second()),
                times);
    }

    static List<GpuNodeClassStatus.Reserved> write(List<Promise> promises) {
        List<GpuNodeClassStatus.Reserved> reserved = new ArrayList<>();
        for (Promise promise : promises) {
            List<String> nodes = promise.place();
            reserved.add(new GpuNodeClassStatus.Reserved(
                    promise.rank(),
                    promise.title(),
                    promise.gangUid(),
                    promise.at() == Reservation.NEVER
                            ? null
                            : Instant.ofEpochMilli(promise.at()).toString(),
                    new NodeList(nodes.size(), nodes.subList(0, Math.min(nodes.size(), NodeList.MOST_NAMES))),
                    promise.collecting(),
                    promise.slips(),
                    promise.cause().wireName()));
        }
        return reserved;
    }

    static List<Promise> promises(String nodeClass, @Nullable GpuNodeClassStatus status) {
        List<Promise> promises = new ArrayList<>();
        for (GpuNodeClassStatus.Reserved stored :
                status == null ? List.<GpuNodeClassStatus.Reserved>of() : status.reservations()) {
            promises.add(new Promise(
                    stored.uid(),
                    stored.job(),
                    nodeClass,
                    stored.rank(),
                    time(stored.by()),
                    stored.nodes().names(),
                    stored.collecting(),
                    stored.slips(),
                    cause(stored.cause())));
        }
        return Collections.unmodifiableList(promises);
    }

    private static long time(@Nullable String by) {
        try {
            return by == null ? Reservation.NEVER : Instant.parse(by).toEpochMilli();
        } catch (DateTimeException | ArithmeticException odd) {
            return Reservation.NEVER; // a promise without a time keeps its rank
        }
    }

    private static Cause cause(String wireName) {
        return Arrays.stream(Cause.values())
                .filter(cause -> cause.wireName().equals(wireName))
                .findFirst()
                .orElse(Cause.PLANNED);
    }
}

package dev.muster.engine;

import dev.muster.core.model.PodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods whose objects were taken away before an end was seen, and how long each may go on: its grace, from the first cycle
 * that knows of it. There are few, so all are looked at when a node goes.
 */
final class VanishedPods {
    private final List<PodFacts> fresh = new ArrayList<>();
    private final TreeMap<Long, TreeSet<PodAt>> until = new TreeMap<>();

    private record PodAt(String uid, @Nullable String node) implements Comparable<PodAt> {
        @Override
        public int compareTo(PodAt other) {
            return uid.compareTo(other.uid);
        }
    }

    void add(PodFacts pod) {
        fresh.add(pod);
    }

    /** UIDs of those whose grace has passed; they are forgotten here. */
    List<String> due(long now) {
        fresh.forEach(pod ->
                until.computeIfAbsent(now + pod.grace(), at -> new TreeSet<>()).add(new PodAt(pod.uid(), pod.node())));
        fresh.clear();
        List<String> due = new ArrayList<>();
        while (!until.isEmpty() && until.firstKey() <= now) {
            until.pollFirstEntry().getValue().forEach(pod -> due.add(pod.uid()));
        }
        return due;
    }

    /** UIDs of those on a node. */
    List<String> on(String node) {
        List<String> on = new ArrayList<>();
        fresh.stream().filter(pod -> node.equals(pod.node())).forEach(pod -> on.add(pod.uid()));
        until.values()
                .forEach(pods ->
                        pods.stream().filter(pod -> node.equals(pod.node())).forEach(pod -> on.add(pod.uid())));
        return on;
    }

    /** When the next grace passes; {@link Long#MAX_VALUE} when none does. */
    long nextDue() {
        return until.isEmpty() ? Long.MAX_VALUE : until.firstKey();
    }
}

package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.PodFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Pods that are being written: gated ones are given their places, others are told of a stop; one write each at a time. A
 * refused one rests, doubling with each time.
 */
final class PodPlacing {
    private final EngineSettings settings;
    /** Pods that are being placed, and the gang of each. */
    private final Map<String, String> placing = new HashMap<>();
    /** How often in a row placing a pod was refused. */
    private final Map<String, Integer> refusals = new HashMap<>();
    /** Until when a refused pod rests, in milliseconds since the epoch. */
    private final Map<String, Long> rests = new HashMap<>();

    /** When a gang is to be looked at again for a pod of it. */
    record Again(long at, String gangUid) {}

    PodPlacing(EngineSettings settings) {
        this.settings = settings;
    }

    void place(GangEntry entry, PodFacts pod, Admission admission, long now, List<Action> actions) {
        if (pod.membership() != null && begins(entry, pod, now)) {
            actions.add(new Action.PlacePod(target(pod), pod.membership().podset(), entry.uid, admission));
        }
    }

    /** The pod is told when its gang will be stopped. */
    void tell(GangEntry entry, PodFacts pod, long now, List<Action> actions) {
        OptionalLong stopAt = entry.status.marks().stopAt();
        if (stopAt.isPresent() && begins(entry, pod, now)) {
            actions.add(new Action.TellPod(target(pod), entry.uid, stopAt.getAsLong()));
        }
    }

    private boolean begins(GangEntry entry, PodFacts pod, long now) {
        return now >= rests.getOrDefault(pod.uid(), 0L) && placing.putIfAbsent(pod.uid(), entry.uid) == null;
    }

    private static Action.Target target(PodFacts pod) {
        return new Action.Target(pod.uid(), pod.namespace(), pod.name(), "");
    }

    /** The pod has its place, or is no more. */
    void gone(String podUid) {
        placing.remove(podUid);
        refusals.remove(podUid);
        rests.remove(podUid);
    }

    /** A write was refused; empty when it was no place of a pod, or the pod is gone. */
    Optional<Again> refused(Event.WriteRefused refused) {
        String gangUid = placing.remove(refused.uid());
        if (gangUid == null || refused.refusal() == Event.Refusal.GONE) {
            return Optional.empty();
        }
        int before = refusals.merge(refused.uid(), 1, Integer::sum) - 1;
        long until = refused.at() + settings.backoff(before);
        rests.put(refused.uid(), until);
        return Optional.of(new Again(until, gangUid));
    }
}

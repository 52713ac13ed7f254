package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.DurationText;
import dev.muster.local.rules.JobRules;
import java.time.Duration;

/**
 * What the kubelets do: a bound pod becomes ready after a while, runs for the time that its annotation
 * {@code local.muster.dev/run-for} says (10 minutes when it says none), and succeeds. A pod that is told to stop is gone
 * after its grace period, 30 s when it names none.
 */
final class Kubelet {
    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration RUN = Duration.ofMinutes(10);
    private static final int GRACE_SECONDS = 30;

    private final LocalStore store;
    private final Timeline timeline;

    Kubelet(LocalStore store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
    }

    /** Starts a pod that was bound just now. */
    void start(ObjectNode pod, long now) {
        String uid = JobController.uid(pod);
        timeline.at(now + START.toMillis(), at -> ready(uid, at));
    }

    /** Stops a pod: at once when it never reached a node, else after its grace period. */
    void stop(ObjectNode pod, long now) {
        if (!Pods.isBound(pod)) {
            store.delete(LocalStore.Key.of(pod));
            return;
        }
        int grace = pod.path("spec").path("terminationGracePeriodSeconds").asInt(GRACE_SECONDS);
        ObjectNode stopping = pod.deepCopy();
        stopping.withObject("/metadata").put("deletionTimestamp", LocalStore.time(now + grace * 1000L));
        store.update(stopping);
        timeline.at(now + grace * 1000L, at -> end(JobController.uid(pod)));
    }

    /** A stopped pod shows its end before it goes, so that nobody takes it for one that was torn away. */
    private void end(String uid) {
        store.byUid(uid).ifPresent(pod -> {
            ObjectNode ended = pod.deepCopy();
            ended.withObject("/status").put("phase", "Failed").putArray("conditions");
            store.update(ended);
            store.delete(LocalStore.Key.of(pod));
        });
    }

    private void ready(String uid, long now) {
        store.byUid(uid).filter(Pods::isActive).ifPresent(pod -> {
            ObjectNode running = pod.deepCopy();
            ObjectNode status = running.withObject("/status");
            status.put("phase", "Running").put("startTime", LocalStore.time(now));
            status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
            store.update(running);
            timeline.at(now + runFor(pod), at -> succeed(uid));
        });
    }

    private void succeed(String uid) {
        store.byUid(uid).filter(Pods::isActive).ifPresent(pod -> {
            ObjectNode ended = pod.deepCopy();
            ended.withObject("/status").put("phase", "Succeeded").putArray("conditions");
            store.update(ended);
        });
    }

    private static long runFor(ObjectNode pod) {
        String text =
                pod.path("metadata").path("annotations").path(JobRules.RUN_FOR).asText("");
        return (text.isEmpty() ? RUN : DurationText.parse(text)).toMillis();
    }
}

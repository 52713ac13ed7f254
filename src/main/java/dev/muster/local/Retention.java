package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Deletes jobs with {@code ttlSecondsAfterFinished}, and their pods, when their time is up. */
final class Retention implements LocalStore.Watcher {
    private final LocalStore store;
    private final Pods pods;
    private final Timeline timeline;
    private final Set<String> entered = new HashSet<>();

    Retention(LocalStore store, Pods pods, Timeline timeline) {
        this.store = store;
        this.pods = pods;
        this.timeline = timeline;
    }

    @Override
    public void stored(LocalStore.Key key, ObjectNode object) {
        if (key.kind().equals(JobController.KIND)
                && object.path("spec").has("ttlSecondsAfterFinished")
                && JobController.hasEnded(object)
                && entered.add(JobController.uid(object))) {
            long ttl = object.path("spec").path("ttlSecondsAfterFinished").asLong() * 1000;
            long ended = Instant.parse(object.path("status")
                            .path("completionTime")
                            .asText(object.path("metadata")
                                    .path("creationTimestamp")
                                    .asText()))
                    .toEpochMilli();
            timeline.at(ended + ttl, at -> delete(key, JobController.uid(object)));
        }
    }

    @Override
    public void deleted(LocalStore.Key key, ObjectNode last) {
        entered.remove(JobController.uid(last));
    }

    private void delete(LocalStore.Key key, String uid) {
        List<ObjectNode> own = pods.ofJob(uid, key.namespace());
        store.delete(key);
        own.forEach(pod -> store.delete(LocalStore.Key.of(pod)));
    }
}

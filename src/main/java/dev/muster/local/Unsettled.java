package dev.muster.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;

/** Notes each job that the job controller must look at again: it has changed, or one of its pods has. */
final class Unsettled implements LocalStore.Watcher {
    private final Set<LocalStore.Key> jobs;
    private final LocalStore store;

    Unsettled(Set<LocalStore.Key> jobs, LocalStore store) {
        this.jobs = jobs;
        this.store = store;
    }

    @Override
    public void stored(LocalStore.Key key, ObjectNode object) {
        job(key, object).ifPresent(jobs::add);
    }

    @Override
    public void deleted(LocalStore.Key key, ObjectNode last) {
        job(key, last).filter(job -> store.get(job).isPresent()).ifPresent(jobs::add);
    }

    private Optional<LocalStore.Key> job(LocalStore.Key key, JsonNode object) {
        if (key.kind().equals(JobController.KIND)) {
            return Optional.of(key);
        }
        return key.kind().equals(Pods.KIND)
                ? store.byUid(Pods.owner(object)).map(LocalStore.Key::of)
                : Optional.empty();
    }
}

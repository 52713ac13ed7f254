package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Toleration;
import dev.muster.core.model.Waiting;
import dev.muster.engine.Action;
import dev.muster.engine.Event;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.JobPatches;
import dev.muster.jobs.PodPlacement;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** Carries out actions by the same patches as in a real cluster, and says how each went. */
final class PlanWriter {
    private final LocalStore store;
    private final LocalServer server;
    private final String fence;

    PlanWriter(LocalStore store, LocalServer server, String fence) {
        this.store = store;
        this.server = server;
        this.fence = fence;
    }

    /** Writes one action. */
    Event write(Action action, long now) {
        String uid = action.target().uid();
        try {
            ObjectNode stored = action instanceof Action.PlacePod place ? pod(place) : job(action, now);
            return new Event.WriteDone(
                    uid, stored.path("metadata").path("resourceVersion").asText());
        } catch (Refused e) {
            Event.Refusal refusal = switch (e.kind()) {
                case CONFLICT -> Event.Refusal.STALE;
                case NOT_FOUND -> Event.Refusal.GONE;
                default -> Event.Refusal.REFUSED;
            };
            return new Event.WriteRefused(uid, refusal, e.text(), now);
        } catch (IllegalArgumentException e) { // the action does not go with the stored object
            return new Event.WriteRefused(uid, Event.Refusal.REFUSED, String.valueOf(e.getMessage()), now);
        }
    }

    private ObjectNode job(Action action, long now) throws Refused {
        LocalStore.Key key = key(JobController.KIND, action.target());
        String version = action.target().resourceVersion();
        String patch;
        if (action instanceof Action.Admit admit) {
            patch = JobPatches.admit(version, fence, admit.admission());
        } else if (action instanceof Action.Stop stop) {
            patch = JobPatches.stop(version, fence, new Waiting(stop.reason(), stop.sentence(), ""), now);
        } else if (action instanceof Action.Release release) {
            patch = JobPatches.release(version, fence, release.evictions());
        } else if (action instanceof Action.MakeClaim make) {
            patch = JobPatches.claim(version, fence, make.claim());
        } else if (action instanceof Action.DropClaim) {
            patch = JobPatches.dropClaim(version, fence);
        } else if (action instanceof Action.Notice notice) {
            Waiting why = new Waiting(notice.reason(), notice.sentence(), "");
            patch = JobPatches.notice(version, fence, notice.stopAt(), why, now);
        } else if (action instanceof Action.Mark mark) {
            patch = JobPatches.mark(version, fence, mark.state());
        } else {
            throw new IllegalArgumentException("no write to a job: " + action);
        }
        return server.patchJob(key, Models.object(patch));
    }

    private ObjectNode pod(Action.PlacePod action) throws Refused {
        LocalStore.Key key = key(Pods.KIND, action.target());
        ObjectNode pod =
                store.get(key).orElseThrow(() -> new IllegalArgumentException("pod " + key.name() + " is gone"));
        PodSetPlace place = action.admission().podsets().stream()
                .filter(one -> one.podset().equals(action.podset()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no place for podset " + action.podset()));
        ObjectNode job = store.byUid(action.gangUid())
                .orElseThrow(() -> new IllegalArgumentException("the job of pod " + key.name() + " is gone"));
        String queue = job.path("metadata").path("labels").path(Marks.QUEUE).asText();
        String index = pod.path("metadata").path("annotations").path(Pods.INDEX).asText("");
        Integer rank = PodPlacement.rank(Models.read(job, Job.class), index);
        return server.patchPod(
                key, PodPlacement.patch(pod, place, action.gangUid(), queue, tolerations(place.nodeClass()), rank));
    }

    private List<Toleration> tolerations(String nodeClass) {
        return store.get(new LocalStore.Key("GpuNodeClass", "", nodeClass))
                .map(tree ->
                        ClassReader.read(Models.read(tree, GpuNodeClass.class)).tolerations())
                .orElse(List.of());
    }

    private static LocalStore.Key key(String kind, Action.Target target) {
        return new LocalStore.Key(kind, target.namespace(), target.name());
    }
}

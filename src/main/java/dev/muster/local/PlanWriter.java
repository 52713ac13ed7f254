package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.Toleration;
import dev.muster.engine.Action;
import dev.muster.engine.Event;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.GangReader;
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
            ObjectNode stored = action instanceof Action.PlacePod place
                    ? pod(place)
                    : action instanceof Action.TellPod tell ? pod(tell) : job(action, now);
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
        JobChange change = action.change().orElseThrow(() -> new IllegalArgumentException("no change: " + action));
        String patch = JobPatches.of(change, action.target().resourceVersion(), fence, now);
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
        Integer rank = PodPlacement.rank(GangReader.isRanked(Models.read(job, Job.class)), pod);
        return server.patchPod(
                key,
                PodPlacement.patch(
                        pod,
                        place,
                        new PodPlacement.Stamps(
                                action.gangUid(), queue, action.admission().attempt()),
                        tolerations(place.nodeClass()),
                        rank));
    }

    private ObjectNode pod(Action.TellPod action) throws Refused {
        LocalStore.Key key = key(Pods.KIND, action.target());
        ObjectNode pod =
                store.get(key).orElseThrow(() -> new IllegalArgumentException("pod " + key.name() + " is gone"));
        return server.patchPod(key, PodPlacement.notice(pod, action.target().uid(), action.stopAt(), ""));
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

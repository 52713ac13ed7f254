package dev.muster.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.NodeClass;
import dev.muster.engine.Action;
import dev.muster.engine.Action.Target;
import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.JobPatches;
import dev.muster.jobs.PodPlacement;
import dev.muster.kube.Calls.Note;
import dev.muster.kube.Writer.Moment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Actions as requests. What the API server answers is passed on as news, so nobody here waits for the watch to tell it. */
final class Requests implements Writer.Request {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Calls calls;
    private final Watch<Job> jobs;
    private final Watch<Pod> pods;
    private final Map<String, NodeClass> classes;
    private final Notes notes;
    private final Clock clock;

    Requests(Calls calls, Sight sight, Notes notes, Clock clock) {
        this.calls = calls;
        this.jobs = sight.jobs();
        this.pods = sight.pods();
        this.classes = sight.classes();
        this.notes = notes;
        this.clock = clock;
    }

    /**
     * A new job is written once by its own controller, which says that it is suspended; an admission before that would
     * almost always collide with it.
     */
    @Override
    public Moment moment(Action action) {
        Optional<Job> seen = action instanceof Action.PlacePod
                ? Optional.empty()
                : jobs.watched().withUid(action.target().uid());
        if (seen.isEmpty()) {
            return Moment.NOW;
        }
        if (Versions.isLater(version(seen.get()), action.target().resourceVersion())) {
            return Moment.NEVER;
        }
        return action instanceof Action.Admit && !isTakenUp(seen.get()) ? Moment.SOON : Moment.NOW;
    }

    private static boolean isTakenUp(Job job) {
        return job.getStatus() != null
                && job.getStatus().getConditions() != null
                && job.getStatus().getConditions().stream().anyMatch(c -> "Suspended".equals(c.getType()));
    }

    @Override
    public String send(Action action, String fence) throws WriteFailed {
        Target target = action.target();
        if (action instanceof Action.PlacePod place) {
            return place(place);
        }
        JobChange change = action.change().orElseThrow(() -> new IllegalArgumentException("no change: " + action));
        String patch = JobPatches.of(change, target.resourceVersion(), fence, clock.millis());
        Job stored = calls.patchJob(target.namespace(), target.name(), patch);
        jobs.observe(stored);
        if (action instanceof Action.Admit admit) {
            notes.tell(stored, new Note(false, "Admitted", "Admit", admit.sentence()));
        } else if (action instanceof Action.Notice notice) {
            notes.tell(stored, new Note(true, notice.reason().wireName(), "Notice", notice.sentence()));
        } else if (action instanceof Action.Stop stop) {
            notes.tell(stored, new Note(true, "Stopped", "Stop", stop.sentence()));
        } else if (action instanceof Action.Explain explain && explain.reason().needsSomebody()) {
            notes.tell(stored, new Note(true, explain.reason().wireName(), "Wait", explain.sentence()));
        }
        return version(stored);
    }

    private String place(Action.PlacePod action) throws WriteFailed {
        Target target = action.target();
        Pod pod = calls.pod(target.namespace(), target.name())
                .filter(found -> found.getMetadata().getUid().equals(target.uid()))
                .orElseThrow(() -> new WriteFailed(Refusal.GONE, "the pod is gone", null));
        if (!isGated(pod)) {
            pods.observe(pod);
            return version(pod);
        }
        PodSetPlace place = action.admission().podsets().stream()
                .filter(one -> one.podset().equals(action.podset()))
                .findFirst()
                .orElseThrow(() -> new WriteFailed(
                        Refusal.REFUSED, "the admission has no place for podset " + action.podset(), null));
        Pod stored = calls.patchPod(target.namespace(), target.name(), text(operations(pod, place, action.gangUid())));
        pods.observe(stored);
        return version(stored);
    }

    private List<Map<String, Object>> operations(Pod pod, PodSetPlace place, String gangUid) throws WriteFailed {
        NodeClass nodeClass = classes.get(place.nodeClass());
        Job job = jobs.watched()
                .withUid(gangUid)
                .orElseThrow(() -> new WriteFailed(Refusal.STALE, "the job of the pod is gone", null));
        String queue = job.getMetadata().getLabels().get(Marks.QUEUE);
        if (queue == null) {
            throw new WriteFailed(Refusal.STALE, "the job of the pod has left its queue", null);
        }
        JsonNode tree = JSON.valueToTree(pod);
        Integer rank = PodPlacement.rank(GangReader.isRanked(job), tree);
        if (rank != null && rank >= place.count()) {
            throw new WriteFailed(
                    Refusal.REFUSED, "member " + rank + " has no place among " + place.count() + " members", null);
        }
        return PodPlacement.patch(
                tree, place, gangUid, queue, nodeClass == null ? List.of() : nodeClass.tolerations(), rank);
    }

    @Override
    public boolean look(Action action) throws WriteFailed {
        Target target = action.target();
        return action instanceof Action.PlacePod
                ? look(pods, calls.pod(target.namespace(), target.name()), target)
                : look(jobs, calls.job(target.namespace(), target.name()), target);
    }

    private static <T extends HasMetadata> boolean look(Watch<T> watch, Optional<T> found, Target target) {
        found.ifPresent(watch::observe);
        return found.filter(object -> object.getMetadata().getUid().equals(target.uid()))
                .isPresent();
    }

    private static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream().anyMatch(gate -> Marks.GATE.equals(gate.getName()));
    }

    private static String text(List<Map<String, Object>> operations) {
        try {
            return JSON.writeValueAsString(operations);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the patch cannot be written as JSON", e);
        }
    }

    private static String version(HasMetadata object) {
        return object.getMetadata().getResourceVersion();
    }
}

package dev.muster.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.api.Marks;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.Toleration;
import dev.muster.engine.Action;
import dev.muster.engine.Action.Target;
import dev.muster.engine.Announcement;
import dev.muster.engine.Event.Refusal;
import dev.muster.jobs.JobReader;
import dev.muster.jobs.JobReader.Writing;
import dev.muster.jobs.Member;
import dev.muster.jobs.PlainPods;
import dev.muster.jobs.PodGroup;
import dev.muster.jobs.PodPlacement;
import dev.muster.kinds.KindName;
import dev.muster.kube.Calls.Note;
import dev.muster.kube.Writer.Moment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Actions as requests. What the API server answers is passed on as news, so nobody here waits for the watch to tell it. */
final class Requests implements Writer.Request {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Calls calls;
    private final JobSight jobs;
    private final Watch<Pod> pods;
    private final Map<String, NodeClass> classes;
    private final Notes notes;
    private final Clock clock;
    private final GroupWrites groups;

    Requests(Calls calls, Sight sight, Notes notes, Clock clock) {
        this.calls = calls;
        this.jobs = sight.jobs();
        this.pods = sight.pods();
        this.classes = sight.classes();
        this.notes = notes;
        this.clock = clock;
        this.groups = new GroupWrites(calls, jobs, clock, this::tolerations);
    }

    /**
     * A new job is written once by its own controller, which says that it is suspended; an admission before that would
     * almost always collide with it.
     */
    @Override
    public Moment moment(Action action) {
        Optional<SeenJob> seen = action.change().isEmpty()
                ? Optional.empty()
                : jobs.withUid(action.target().uid());
        if (seen.isEmpty()) {
            return Moment.NOW;
        }
        if (Versions.isLater(seen.get().version(), action.target().resourceVersion())) {
            return Moment.NEVER;
        }
        return action instanceof Action.Admit && !isTakenUp(seen.get()) ? Moment.SOON : Moment.NOW;
    }

    private static boolean isTakenUp(SeenJob seen) {
        return seen.reader().status(seen.job()).resumed() != Acknowledged.UNKNOWN;
    }

    @Override
    public String send(Action action, String fence) throws WriteFailed {
        Target target = action.target();
        if (action instanceof Action.PlacePod place) {
            return place(place, fence);
        }
        if (action instanceof Action.TellPod tell) {
            return tell(tell, fence);
        }
        JobChange change = action.change().orElseThrow(() -> new IllegalArgumentException("no change: " + action));
        SeenJob seen =
                jobs.withUid(target.uid()).orElseThrow(() -> new WriteFailed(Refusal.GONE, "the job is gone", null));
        JobReader reader = seen.reader();
        if (seen.job() instanceof PodGroup group) {
            HasMetadata first = groups.write(group, action, change, fence);
            if (action instanceof Action.Stop stop) {
                notes.tell(
                        first,
                        new Note(true, "Stopped", "Stop", stop.sentence() + " All pods of the group are deleted."));
            } else {
                tell(action, first);
            }
            return jobs.withUid(target.uid()).map(SeenJob::version).orElse(seen.version());
        }
        String patch = reader.patch(
                seen.job(), change, new Writing(target.resourceVersion(), fence, clock.millis(), this::tolerations));
        HasMetadata stored = calls.patchJob(reader.name(), target.namespace(), target.name(), patch);
        jobs.observe(reader.name(), stored);
        if (reader instanceof PlainPods && action instanceof Action.Stop stop) {
            return delete(stop, stored);
        }
        tell(action, stored);
        return version(stored);
    }

    /** A pod has no switch that would stop it; what became of it is looked at, so that it is not stopped twice. */
    private String delete(Action.Stop stop, HasMetadata noted) throws WriteFailed {
        Target target = stop.target();
        calls.deletePod(target.namespace(), target.name(), version(noted));
        boolean replaced = noted.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
        String after = replaced
                ? " The pod is deleted; what made it makes another one, which waits in the queue."
                : " The pod is deleted, and nothing makes another one.";
        notes.tell(noted, new Note(true, "Stopped", "Stop", stop.sentence() + after));
        Optional<HasMetadata> left = calls.job(KindName.POD, target.namespace(), target.name())
                .filter(found -> found.getMetadata().getUid().equals(target.uid()));
        left.ifPresent(pod -> jobs.observe(KindName.POD, pod));
        return version(left.orElse(noted));
    }

    private List<Toleration> tolerations(String className) {
        NodeClass nodeClass = classes.get(className);
        return nodeClass == null ? List.of() : nodeClass.tolerations();
    }

    private void tell(Action action, HasMetadata stored) {
        Announcement.of(action)
                .ifPresent(told ->
                        notes.tell(stored, new Note(told.warning(), told.reason(), told.action(), told.sentence())));
    }

    private String tell(Action.TellPod action, String fence) throws WriteFailed {
        Target target = action.target();
        Pod pod = calls.pod(target.namespace(), target.name())
                .filter(found -> found.getMetadata().getUid().equals(target.uid()))
                .orElseThrow(() -> new WriteFailed(Refusal.GONE, "the pod is gone", null));
        List<Map<String, Object>> patch = PodPlacement.notice(
                JSON.valueToTree(pod), target.uid(), action.stopAt(), PlainPods.isGang(pod) ? fence : "");
        Pod stored = calls.patchPod(target.namespace(), target.name(), text(patch));
        pods.observe(stored);
        return version(stored);
    }

    private String place(Action.PlacePod action, String fence) throws WriteFailed {
        Target target = action.target();
        Pod pod = calls.pod(target.namespace(), target.name())
                .filter(found -> found.getMetadata().getUid().equals(target.uid()))
                .orElseThrow(() -> new WriteFailed(Refusal.GONE, "the pod is gone", null));
        Optional<PodGroup> group = jobs.withUid(action.gangUid())
                .map(SeenJob::job)
                .filter(PodGroup.class::isInstance)
                .map(PodGroup.class::cast);
        if (!isGated(pod)) {
            if (group.isPresent()) {
                jobs.observe(KindName.POD, pod);
            } else {
                pods.observe(pod);
            }
            return version(pod);
        }
        if (group.isPresent()) {
            return version(groups.place(group.get(), pod, new JobChange.Admit(action.admission()), fence));
        }
        PodSetPlace place = action.admission().podsets().stream()
                .filter(one -> one.podset().equals(action.podset()))
                .findFirst()
                .orElseThrow(() -> new WriteFailed(
                        Refusal.REFUSED, "the admission has no place for podset " + action.podset(), null));
        Pod stored = calls.patchPod(target.namespace(), target.name(), text(operations(pod, place, action)));
        pods.observe(stored);
        return version(stored);
    }

    private List<Map<String, Object>> operations(Pod pod, PodSetPlace place, Action.PlacePod action)
            throws WriteFailed {
        String gangUid = action.gangUid();
        SeenJob seen = jobs.withUid(gangUid)
                .orElseThrow(() -> new WriteFailed(Refusal.STALE, "the job of the pod is gone", null));
        String queue = seen.job().getMetadata().getLabels().get(Marks.QUEUE);
        if (queue == null) {
            throw new WriteFailed(Refusal.STALE, "the job of the pod has left its queue", null);
        }
        JsonNode tree = JSON.valueToTree(pod);
        Integer rank = seen.reader()
                .member(seen.job(), tree)
                .filter(member -> member.podset().equals(place.podset()))
                .map(Member::rank)
                .orElse(null);
        if (rank != null && rank >= place.count()) {
            throw new WriteFailed(
                    Refusal.REFUSED, "member " + rank + " has no place among " + place.count() + " members", null);
        }
        return PodPlacement.patch(
                tree,
                place,
                new PodPlacement.Stamps(gangUid, queue, action.admission().attempt()),
                tolerations(place.nodeClass()),
                rank);
    }

    @Override
    public boolean look(Action action) throws WriteFailed {
        Target target = action.target();
        if (action.change().isEmpty()) {
            return look(pods::observe, calls.pod(target.namespace(), target.name()), target);
        }
        Optional<SeenJob> known = jobs.withUid(target.uid());
        if (known.isEmpty()) {
            return false; // its watch has told that it is gone
        }
        if (known.get().job() instanceof PodGroup group) {
            return groups.look(group);
        }
        KindName kind = known.get().reader().name();
        return look(job -> jobs.observe(kind, job), calls.job(kind, target.namespace(), target.name()), target);
    }

    private static <T extends HasMetadata> boolean look(Consumer<T> news, Optional<T> found, Target target) {
        found.ifPresent(news);
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

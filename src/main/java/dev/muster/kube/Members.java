package dev.muster.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.Marks;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.engine.Event;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.Member;
import dev.muster.jobs.PlainPods;
import dev.muster.jobs.PodGroup;
import dev.muster.jobs.PodReader;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are bound or members become facts; others are no news, and neither is a gang of one that waits. A member that was not placed yet belongs to the gang at the
 * end of its owners' chain, in the podset that its labels name. As long as the chain is not known, or the gang was not
 * seen yet, such a pod is held back: it is gated and holds nothing. Called from under the locks of several watches, it asks
 * nobody who would wait for one of them.
 */
final class Members implements Watched.Sink<Pod> {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Consumer<Event> events;
    private final JobSight jobs;
    private final Owners owners;
    private final Surroundings surroundings;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Pod> heldBack = new HashMap<>();

    Members(Consumer<Event> events, JobSight jobs, Owners owners, Surroundings surroundings) {
        this.surroundings = surroundings;
        this.events = events;
        this.jobs = jobs;
        this.owners = owners;
    }

    @Override
    public synchronized void seen(Pod pod) {
        if (!matters(pod)) {
            return;
        }
        heldBack.remove(uid(pod));
        OwnerReference controller = isUnplacedMember(pod) ? controller(pod) : null;
        if (controller == null) {
            tell(PodReader.read(pod, surroundings));
            return;
        }
        Owners.Answer answer = owners.gang(controller);
        if (answer instanceof Owners.Found found
                && (found.isGuess() || jobs.withUid(found.gangUid()).isPresent())) {
            tell(PodReader.read(pod, membership(pod, found.gangUid()), surroundings));
            return;
        }
        heldBack.put(uid(pod), pod);
        if (answer instanceof Owners.NotYet) {
            owners.look(pod.getMetadata().getNamespace(), controller, () -> again(pod));
        }
    }

    @Override
    public synchronized void gone(Pod last) {
        heldBack.remove(uid(last));
        if (told.remove(uid(last))) {
            events.accept(new Event.PodDeleted(uid(last)));
        }
    }

    /** News of a job has come: pods may have waited for it. */
    synchronized void news() {
        List.copyOf(heldBack.values()).forEach(this::again);
    }

    /** Looks again at a pod that is still held back. */
    private synchronized void again(Pod pod) {
        Pod latest = heldBack.get(uid(pod));
        if (latest != null) {
            seen(latest);
        }
    }

    private void tell(PodFacts facts) {
        told.add(facts.uid());
        events.accept(new Event.PodSeen(facts));
    }

    private Membership membership(Pod pod, String gangUid) {
        String podset = jobs.withUid(gangUid)
                .flatMap(seen -> seen.reader().member(seen.job(), marks(pod)))
                .map(Member::podset)
                .orElse(GangReader.PODSET);
        return new Membership(gangUid, podset, "", "");
    }

    private static ObjectNode marks(Pod pod) {
        ObjectNode tree = JSON.createObjectNode();
        tree.putObject("metadata")
                .<ObjectNode>set("labels", JSON.valueToTree(pod.getMetadata().getLabels()))
                .set("annotations", JSON.valueToTree(pod.getMetadata().getAnnotations()));
        return tree;
    }

    private static boolean isUnplacedMember(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return labels != null
                && "true".equals(labels.get(Marks.MANAGED))
                && (annotations == null || !annotations.containsKey(Marks.GANG_UID));
    }

    private static @Nullable OwnerReference controller(Pod pod) {
        List<OwnerReference> all = pod.getMetadata().getOwnerReferences();
        Optional<OwnerReference> controller = all == null
                ? Optional.empty()
                : all.stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .findFirst();
        return controller.orElse(null);
    }

    private static boolean matters(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return pod.getSpec() != null
                && PodGroup.of(pod).isEmpty() // its group tells
                && (pod.getSpec().getNodeName() != null
                        || labels != null && labels.containsKey(Marks.MANAGED)
                        || PlainPods.isGang(pod)
                                && pod.getSpec().getSchedulingGates().isEmpty());
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }
}

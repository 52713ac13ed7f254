package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodShape;
import dev.muster.jobs.NodeReader;
import dev.muster.jobs.PodRequests;
import dev.muster.jobs.PodShapes;
import dev.muster.jobs.Problems;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the cluster's scheduler does: binds each pod without gates to the first node, by name, that it accepts, whose taints
 * it tolerates, and that has room. Pods are looked at in the order in which they came.
 */
final class PodScheduler implements LocalStore.Watcher {
    private record Held(String node, Amounts requests) {}

    private final LocalStore store;
    private final Kubelet kubelet;
    private final Map<String, NodeFacts> nodes = new TreeMap<>();
    private final Map<String, Held> heldByPod = new HashMap<>();
    private final Map<String, Amounts> usedByNode = new HashMap<>();
    private final Map<LocalStore.Key, PodShape> pending = new LinkedHashMap<>();
    private boolean worthALook;

    PodScheduler(LocalStore store, Kubelet kubelet) {
        this.store = store;
        this.kubelet = kubelet;
    }

    /** Binds what can be bound now. */
    void schedule(long now) {
        if (!worthALook) {
            return;
        }
        worthALook = false;
        for (Map.Entry<LocalStore.Key, PodShape> entry : List.copyOf(pending.entrySet())) {
            nodeFor(entry.getValue()).ifPresent(node -> bind(entry.getKey(), node, now));
        }
    }

    private void bind(LocalStore.Key key, String node, long now) {
        ObjectNode bound = store.get(key).orElseThrow().deepCopy();
        bound.withObject("/spec").put("nodeName", node);
        store.update(bound);
        kubelet.start(bound, now);
    }

    private Optional<String> nodeFor(PodShape pod) {
        return nodes.values().stream()
                .filter(node -> node.ready() && !node.cordoned() && pod.accepts(node))
                .filter(node -> node.taints().stream()
                        .filter(taint -> taint.effect().isHard())
                        .allMatch(taint -> pod.tolerations().stream().anyMatch(t -> t.tolerates(taint))))
                .filter(node -> hasRoom(node, pod.requests()))
                .map(NodeFacts::name)
                .findFirst();
    }

    private boolean hasRoom(NodeFacts node, Amounts requests) {
        Amounts used = usedByNode.getOrDefault(node.name(), Amounts.NONE);
        return requests.byResource().entrySet().stream()
                .allMatch(request -> used.get(request.getKey()) + request.getValue()
                        <= node.allocatable().get(request.getKey()));
    }

    @Override
    public void stored(LocalStore.Key key, ObjectNode object) {
        if (key.kind().equals("Node")) {
            nodes.put(key.name(), NodeReader.read(Models.read(object, Node.class)));
            worthALook = true;
        } else if (key.kind().equals(Pods.KIND)) {
            pod(key, object);
        }
    }

    @Override
    public void deleted(LocalStore.Key key, ObjectNode last) {
        if (key.kind().equals("Node")) {
            nodes.remove(key.name());
        } else if (key.kind().equals(Pods.KIND)) {
            pending.remove(key);
            release(JobController.uid(last));
        }
    }

    private void pod(LocalStore.Key key, ObjectNode pod) {
        String uid = JobController.uid(pod);
        boolean waits = !Pods.isBound(pod) && !Pods.isGated(pod) && Pods.isActive(pod);
        if (waits && !pending.containsKey(key)) {
            pending.put(key, shape(pod));
            worthALook = true;
        } else if (!waits) {
            pending.remove(key);
        }
        if (Pods.hasEnded(pod)) {
            release(uid);
        } else if (Pods.isBound(pod) && !heldByPod.containsKey(uid)) {
            Held held = new Held(
                    pod.path("spec").path("nodeName").asText(), shape(pod).requests());
            heldByPod.put(uid, held);
            usedByNode.merge(held.node(), held.requests(), Amounts::plus);
        }
    }

    private void release(String podUid) {
        Held held = heldByPod.remove(podUid);
        if (held != null) {
            usedByNode.computeIfPresent(held.node(), (node, used) -> used.minusToZero(held.requests()));
            worthALook = true;
        }
    }

    private static PodShape shape(ObjectNode tree) {
        Pod pod = Models.read(tree, Pod.class);
        return new PodShape(
                PodRequests.of(pod.getSpec(), new ArrayList<>()),
                PodShapes.terms(pod.getSpec(), "spec", new Problems()),
                PodShapes.tolerations(pod.getSpec().getTolerations()));
    }
}

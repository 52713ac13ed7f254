package dev.muster.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.api.GpuNodeClass;
import dev.muster.api.Marks;
import dev.muster.api.TeamQueue;
import dev.muster.engine.Event;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.NodeReader;
import dev.muster.jobs.PodReader;
import dev.muster.jobs.QueueReader;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.function.Consumer;

/** Turns every change of the store into the engine's event, with the same readers as in a real cluster. */
final class EventFeed implements LocalStore.Watcher {
    private final Surroundings surroundings;
    private final Consumer<Event> events;

    EventFeed(Surroundings surroundings, Consumer<Event> events) {
        this.surroundings = surroundings;
        this.events = events;
    }

    @Override
    public void stored(LocalStore.Key key, ObjectNode object) {
        switch (key.kind()) {
            case JobController.KIND -> job(object);
            case Pods.KIND -> pod(object);
            case "Node" -> events.accept(new Event.NodeSeen(NodeReader.read(Models.read(object, Node.class))));
            case "TeamQueue" ->
                events.accept(new Event.QueueSeen(QueueReader.read(Models.read(object, TeamQueue.class))));
            case "GpuNodeClass" ->
                events.accept(new Event.ClassSeen(ClassReader.read(Models.read(object, GpuNodeClass.class))));
            default -> {} // namespaces, priorities and limit ranges are read when a job is
        }
    }

    @Override
    public void deleted(LocalStore.Key key, ObjectNode last) {
        switch (key.kind()) {
            case JobController.KIND -> events.accept(new Event.GangDeleted(JobController.uid(last)));
            case Pods.KIND -> events.accept(new Event.PodDeleted(JobController.uid(last)));
            case "Node" -> events.accept(new Event.NodeDeleted(key.name()));
            case "TeamQueue" -> events.accept(new Event.QueueDeleted(key.name()));
            case "GpuNodeClass" -> events.accept(new Event.ClassDeleted(key.name()));
            default -> {} // as above
        }
    }

    private void pod(ObjectNode pod) {
        boolean managed = pod.path("metadata").path("labels").has(Marks.MANAGED);
        if (managed || Pods.isBound(pod)) {
            events.accept(new Event.PodSeen(PodReader.read(Models.read(pod, Pod.class))));
        }
    }

    private void job(ObjectNode tree) {
        if (LocalServer.isManaged(tree)) {
            events.accept(Event.of(GangReader.read(Models.read(tree, Job.class), surroundings)));
        }
    }
}

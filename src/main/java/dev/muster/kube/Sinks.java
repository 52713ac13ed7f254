package dev.muster.kube;

import dev.muster.api.GpuNodeClass;
import dev.muster.api.TeamQueue;
import dev.muster.core.decide.QueueMemory;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeClass.Devices;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.Queue;
import dev.muster.engine.Event;
import dev.muster.engine.Views.Promise;
import dev.muster.jobs.ClassReader;
import dev.muster.jobs.JobReader;
import dev.muster.jobs.NodeReader;
import dev.muster.jobs.QueueReader;
import dev.muster.jobs.Surroundings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What each kind's news means: it is read, and one event goes out. News that changes nothing of what is read goes nowhere. */
final class Sinks {
    private static final Logger LOG = LoggerFactory.getLogger(Sinks.class);

    private final Consumer<Event> events;
    private final CronWaits waits;

    Sinks(Consumer<Event> events, CronWaits waits) {
        this.waits = waits;
        this.events = events;
    }

    /** Jobs become gangs, or what is wrong with them; {@code news} hears of each after its event. */
    <T extends HasMetadata> Watched.Sink<T> jobs(JobReader reader, Surroundings surroundings, Consumer<String> news) {
        return new Watched.Sink<>() {
            @Override
            public void seen(T job) {
                events.accept(Event.of(waits.seen(job, reader.read(job, surroundings))));
                news.accept(uid(job));
            }

            @Override
            public void gone(T last) {
                waits.gone(last);
                events.accept(new Event.GangDeleted(uid(last)));
            }
        };
    }

    /** Nodes become facts, which {@code told} then holds by name; a heartbeat alone is no news. */
    Watched.Sink<Node> nodes(Map<String, NodeFacts> told) {
        return new Watched.Sink<>() {
            @Override
            public void seen(Node node) {
                NodeFacts facts = NodeReader.read(node);
                if (!facts.equals(told.put(name(node), facts))) {
                    events.accept(new Event.NodeSeen(facts));
                }
            }

            @Override
            public void gone(Node last) {
                told.remove(name(last));
                events.accept(new Event.NodeDeleted(name(last)));
            }
        };
    }

    /** Queues, which {@code known} then holds by name; of a status only what is remembered there is news. */
    Watched.Sink<TeamQueue> queues(Map<String, Queue> known) {
        Map<String, QueueMemory> memories = new ConcurrentHashMap<>();
        return new Watched.Sink<>() {
            @Override
            public void seen(TeamQueue object) {
                try {
                    Queue queue = QueueReader.read(object);
                    if (!queue.equals(known.put(name(object), queue))) {
                        events.accept(new Event.QueueSeen(queue));
                    }
                    QueueMemory memory = StoredMemory.read(object.getStatus());
                    if (!memory.equals(memories.put(name(object), memory))) {
                        events.accept(new Event.QueueRemembered(name(object), memory));
                    }
                } catch (IllegalArgumentException e) { // the schema lets none through; as if it were not there
                    LOG.warn("the queue {} cannot be read: {}", name(object), e.getMessage());
                    gone(object);
                }
            }

            @Override
            public void gone(TeamQueue last) {
                memories.remove(name(last));
                known.remove(name(last));
                events.accept(new Event.QueueDeleted(name(last)));
            }
        };
    }

    /**
     * Node classes, which {@code known} then holds by name; of a status only the reservations are news. {@code otherDevices} is
     * run when other devices count as GPUs than before.
     */
    Watched.Sink<GpuNodeClass> classes(Map<String, NodeClass> known, Runnable otherDevices) {
        Map<String, List<Promise>> promises = new ConcurrentHashMap<>();
        return new Watched.Sink<>() {
            @Override
            public void seen(GpuNodeClass object) {
                try {
                    NodeClass nodeClass = ClassReader.read(object);
                    NodeClass before = known.put(name(object), nodeClass);
                    if (!nodeClass.equals(before)) {
                        events.accept(new Event.ClassSeen(nodeClass));
                    }
                    if (!nodeClass.devices().equals(before == null ? Devices.NONE : before.devices())) {
                        otherDevices.run();
                    }
                    List<Promise> stored = StoredMemory.promises(name(object), object.getStatus());
                    if (!stored.equals(promises.put(name(object), stored))) {
                        events.accept(new Event.PromisesRemembered(name(object), stored));
                    }
                } catch (IllegalArgumentException e) { // the schema lets none through; as if it were not there
                    LOG.warn("the node class {} cannot be read: {}", name(object), e.getMessage());
                    gone(object);
                }
            }

            @Override
            public void gone(GpuNodeClass last) {
                promises.remove(name(last));
                known.remove(name(last));
                events.accept(new Event.ClassDeleted(name(last)));
            }
        };
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}

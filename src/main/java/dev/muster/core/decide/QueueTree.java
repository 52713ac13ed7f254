package dev.muster.core.decide;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All queues, and what is wrong with the place of each in the tree. Queues may be applied in any order, so an unknown
 * parent or a cycle is a condition that later events can cure, never an error.
 */
public final class QueueTree {
    private final TreeMap<String, Queue> queues = new TreeMap<>();

    /** A queue was created or changed. */
    public void put(Queue queue) {
        queues.put(queue.name(), queue);
    }

    /** A queue is gone. */
    public void remove(String name) {
        queues.remove(name);
    }

    /** One queue. */
    public @Nullable Queue get(String name) {
        return queues.get(name);
    }

    /** All queues, by name. */
    public List<Queue> all() {
        return List.copyOf(queues.values());
    }

    /** The first cause, on the way up, why the queue cannot be used; empty when its path reaches a root. */
    public Optional<String> problem(String name) {
        List<String> path = new ArrayList<>();
        Queue at = queues.get(name);
        while (at != null && at.parent() != null) {
            path.add(at.name());
            int seen = path.indexOf(at.parent());
            if (seen >= 0) {
                return Optional.of("queues form a cycle: " + String.join(" -> ", path.subList(seen, path.size()))
                        + " -> " + at.parent());
            }
            Queue parent = queues.get(at.parent());
            if (parent == null) {
                return Optional.of(
                        "queue " + at.name() + " names the parent " + at.parent() + ", which does not exist");
            }
            at = parent;
        }
        return Optional.empty();
    }

    /** The first queue on the way up that is stopped; null when none is. */
    public @Nullable Queue stopped(String name) {
        Queue at = queues.get(name);
        for (int depth = 0; at != null && depth <= queues.size(); depth++) {
            if (at.stop() != Queue.Stop.NONE) {
                return at;
            }
            at = at.parent() == null ? null : queues.get(at.parent());
        }
        return null;
    }
}

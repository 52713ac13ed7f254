package dev.muster.engine;

import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.Quotas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What is published of the engine's memory, to be stored: renewed only so often, for each renewal is a write.
 *
 * <p>Queues start at different times of the first period, by their names, so that they are not written all at once.
 */
final class Memories {
    /** How often what is learned of a queue is published, in milliseconds; a restart forgets no more than this. */
    static final long QUEUE_PERIOD = 300_000;
    /** How often the reservations of a class are published at most, in milliseconds. */
    static final long CLASS_PERIOD = 10_000;

    private final Quotas quotas;
    private final LearnedTimes learned;
    private final Map<String, Published<QueueMemory>> queues = new HashMap<>();
    private final Map<String, Published<List<Views.Promise>>> classes = new HashMap<>();

    private record Published<T>(T value, long until) {}

    Memories(Quotas quotas, LearnedTimes learned) {
        this.quotas = quotas;
        this.learned = learned;
    }

    /** Somebody begins to lead: what was published while following is out of date. */
    void startOver() {
        queues.clear();
        classes.clear();
    }

    /** What is published of a queue at a time, in milliseconds since the epoch. */
    QueueMemory of(String queue, long now) {
        long first = now + 1 + Math.floorMod(queue.hashCode(), QUEUE_PERIOD);
        long next = queues.containsKey(queue) ? now + QUEUE_PERIOD : first;
        return current(queues, queue, now, next, () -> new QueueMemory(quotas.pastUse(queue), learned.of(queue)));
    }

    /** What is published of the reservations in a class at a time. */
    List<Views.Promise> ofClass(String nodeClass, long now, Supplier<List<Views.Promise>> promises) {
        return current(classes, nodeClass, now, now + CLASS_PERIOD, promises);
    }

    private static <T> T current(
            Map<String, Published<T>> published, String name, long now, long next, Supplier<T> value) {
        Published<T> known = published.get(name);
        if (known == null || now >= known.until) {
            known = new Published<>(value.get(), next);
            published.put(name, known);
        }
        return known.value;
    }

    /** Goes on from what was stored of a queue. */
    void remember(String queue, QueueMemory memory) {
        learned.remember(queue, memory.runTimes());
        if (memory.pastUse() != null) {
            quotas.remember(queue, memory.pastUse());
        }
    }
}

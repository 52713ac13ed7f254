package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.model.Queue;
import java.util.Map;
import java.util.TreeMap;

/** Which queues are being drained, and since when. A queue is drained with those below it. */
final class QueueDrains {
    private final Quotas quotas;
    private final Map<String, Long> since = new TreeMap<>();

    QueueDrains(Quotas quotas) {
        this.quotas = quotas;
    }

    /** Queues have changed: those that drain from now on. */
    void follow(long now) {
        for (Queue queue : quotas.all()) {
            if (queue.stop() == Queue.Stop.DRAIN) {
                since.putIfAbsent(queue.name(), now);
            } else {
                since.remove(queue.name());
            }
        }
        since.keySet().removeIf(name -> quotas.get(name) == null);
    }

    /** Since when a queue is drained, in milliseconds since the epoch; {@link Long#MAX_VALUE} when it is not. */
    long since(String queue) {
        long first = Long.MAX_VALUE;
        if (!since.isEmpty()) {
            for (Queue one : quotas.path(queue)) {
                first = Math.min(first, since.getOrDefault(one.name(), Long.MAX_VALUE));
            }
        }
        return first;
    }

    /** How long a gang of the queue has to stop, in milliseconds. */
    long grace(String queue) {
        return quotas.preemption(queue).grace();
    }
}

package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Queue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What every queue has and uses, strictly by nominal quota: a gang is charged, per node class, for the resources that its
 * queue names there. A resource that a queue does not name for a class is not limited for it, except the class's GPU,
 * which counts as 0. Use outlives the queue, so a queue that is deleted and made again starts with what still runs.
 */
public final class QuotaBook {
    private final Map<String, Map<Key, Long>> nominal = new HashMap<>();
    private final Map<String, Map<Key, Long>> used = new HashMap<>();

    private record Key(String nodeClass, String resource) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byClass = nodeClass.compareTo(other.nodeClass);
            return byClass != 0 ? byClass : resource.compareTo(other.resource);
        }
    }

    /** Too little quota for a charge. Amounts in the units of {@link Amounts}. */
    public record Shortage(String queue, String nodeClass, String resource, long nominal, long used, long asked) {
        /** Whether it would be too much even for an idle queue. */
        public boolean isForEver() {
            return asked > nominal;
        }
    }

    /** A queue was created or changed; its use stays. */
    public void put(Queue queue) {
        Map<Key, Long> quotas = new TreeMap<>();
        queue.quotas().forEach(quota -> quotas.put(new Key(quota.nodeClass(), quota.resource()), quota.nominal()));
        nominal.put(queue.name(), quotas);
    }

    /** A queue is gone; its use stays. */
    public void remove(String queue) {
        nominal.remove(queue);
    }

    /** Whether the queue names the class in any quota. */
    public boolean names(String queue, String nodeClass) {
        return nominal.getOrDefault(queue, Map.of()).keySet().stream().anyMatch(key -> key.nodeClass.equals(nodeClass));
    }

    /** What of the requests the queue is charged for in this class: the resources that it names there, and the GPU. */
    public Amounts chargeable(String queue, String nodeClass, String gpu, Amounts requests) {
        Map<Key, Long> quotas = nominal.getOrDefault(queue, Map.of());
        Map<String, Long> charged = new TreeMap<>();
        requests.byResource().forEach((resource, amount) -> {
            if (resource.equals(gpu) || quotas.containsKey(new Key(nodeClass, resource))) {
                charged.put(resource, amount);
            }
        });
        return Amounts.of(charged);
    }

    /** The first resource, by name, of which the charge is more than what is left; empty when all of it fits. */
    public Optional<Shortage> shortage(String queue, String nodeClass, Amounts charge) {
        Map<Key, Long> quotas = nominal.getOrDefault(queue, Map.of());
        Map<Key, Long> use = used.getOrDefault(queue, Map.of());
        for (Map.Entry<String, Long> asked : charge.byResource().entrySet()) {
            Key key = new Key(nodeClass, asked.getKey());
            long has = quotas.getOrDefault(key, 0L);
            long uses = use.getOrDefault(key, 0L);
            if (asked.getValue() > has - uses) {
                return Optional.of(new Shortage(queue, nodeClass, asked.getKey(), has, uses, asked.getValue()));
            }
        }
        return Optional.empty();
    }

    /** Charges ({@code sign} 1) or gives back ({@code sign} -1). */
    public void charge(String queue, String nodeClass, Amounts amounts, int sign) {
        Map<Key, Long> use = used.computeIfAbsent(queue, name -> new TreeMap<>());
        amounts.byResource().forEach((resource, amount) -> {
            Key key = new Key(nodeClass, resource);
            long now = Math.addExact(use.getOrDefault(key, 0L), Math.multiplyExact(amount, (long) sign));
            if (now == 0) {
                use.remove(key);
            } else {
                use.put(key, now);
            }
        });
        if (use.isEmpty()) {
            used.remove(queue);
        }
    }

    /** What a queue uses of one resource of one class. */
    public long used(String queue, String nodeClass, String resource) {
        return used.getOrDefault(queue, Map.of()).getOrDefault(new Key(nodeClass, resource), 0L);
    }

    /** The largest part used of any quota of the queue; an idle or unknown queue has load 0. */
    public Load load(String queue) {
        Load most = Load.NONE;
        Map<Key, Long> use = used.getOrDefault(queue, Map.of());
        Map<Key, Long> quotas = nominal.getOrDefault(queue, Map.of());
        for (Map.Entry<Key, Long> entry : use.entrySet()) {
            Load load = new Load(entry.getValue(), quotas.getOrDefault(entry.getKey(), 0L));
            most = load.compareTo(most) > 0 ? load : most;
        }
        return most;
    }
}

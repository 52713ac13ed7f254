package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.share.Charge;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What equal waiting gangs want of quota, each kind under the key of whoever counts them. */
final class Demands {
    /** What equal gangs count as wanting at most, per dimension: more than any quota. */
    private static final long LARGEST = 1L << 50;

    private final Quotas quotas;
    private final Map<Object, Demand> demands = new LinkedHashMap<>();

    /** {@code count} times a charge of one queue, by node class, the first class first. */
    private static final class Demand {
        final String queue;
        final List<Map.Entry<String, Amounts>> byClass;
        int count;
        /** What one wants on the present tree, in its first class and in all; null before it was entered there. */
        @Nullable
        Charge first;

        @Nullable
        Charge every;

        Demand(String queue, List<Map.Entry<String, Amounts>> byClass, int count) {
            this.queue = queue;
            this.byClass = byClass;
            this.count = count;
        }
    }

    Demands(Quotas quotas) {
        this.quotas = quotas;
    }

    /** Sets what this key wants, in place of before; {@code count} 0 takes it out. */
    void want(Object key, String queue, List<Map.Entry<String, Amounts>> byClass, int count) {
        Demand before = demands.get(key);
        if (before != null) {
            enter(before, -1);
        }
        if (count == 0 || byClass.isEmpty()) {
            demands.remove(key);
        } else if (before != null && before.byClass == byClass && before.queue.equals(queue)) {
            before.count = count;
            enter(before, 1);
        } else {
            Demand demand = new Demand(queue, byClass, count);
            demands.put(key, demand);
            enter(demand, 1);
        }
    }

    /** There is a new tree, on which nothing is wanted yet. */
    void enterAnew() {
        for (Demand demand : demands.values()) {
            demand.first = null;
            demand.every = null;
            enter(demand, 1);
        }
    }

    private void enter(Demand demand, int sign) {
        int node = quotas.tree().indexOf(demand.queue);
        if (node < 0) {
            return;
        }
        Charge first = demand.first;
        Charge every = demand.every;
        if (first == null || every == null) {
            first = quotas.charge(demand.byClass.subList(0, 1));
            every = demand.byClass.size() == 1 ? first : quotas.charge(demand.byClass);
            demand.first = first;
            demand.every = every;
        }
        Charge ofAll = first.times(demand.count, LARGEST);
        Charge everyOfAll = first == every ? ofAll : every.times(demand.count, LARGEST);
        if (sign > 0) {
            quotas.standing().want(node, ofAll, everyOfAll);
        } else {
            quotas.standing().unwant(node, ofAll, everyOfAll);
        }
    }
}

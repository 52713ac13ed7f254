package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import java.util.Map;

/**
 * What one gang takes, or would take, of quota.
 *
 * @param uid the job's UID
 * @param queue name of the queue that is charged
 * @param charges by node class
 * @param firm whether it is not interruptible
 * @param priority base priority
 * @param since when it was admitted, in milliseconds since the epoch
 */
public record Commitment(
        String uid, String queue, Map<String, Amounts> charges, boolean firm, int priority, long since) {
    public Commitment {
        charges = Map.copyOf(charges);
    }

    /** The same gang with another charge. */
    public Commitment charging(Map<String, Amounts> others) {
        return new Commitment(uid, queue, others, firm, priority, since);
    }
}

package dev.muster.core.share;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The past use of every node of one quota tree, kept right while charges change.
 *
 * <p>A share holds between two changes of a charge below its node; so it is added up just before each change, and for all
 * nodes at the start of an epoch, when the order of queues takes the new means up. A node that never borrowed costs nothing.
 */
public final class PastShares {
    private final QuotaTree tree;
    private final Share share;
    private final QueueOrder order;
    private final long halfLife;
    private final @Nullable PastUse[] past;
    /** The past of queues that are not in the tree. */
    private final Map<String, PastUse> outside = new TreeMap<>();

    private long second;

    /**
     * Without history.
     *
     * @param halfLife in seconds, at least 64
     * @param second since the epoch of time, from which on shares count
     */
    public PastShares(QuotaTree tree, Share share, QueueOrder order, long halfLife, long second) {
        this.tree = tree;
        this.share = share;
        this.order = order;
        this.halfLife = halfLife;
        this.second = second;
        past = new PastUse[tree.size()];
    }

    /** Goes on from what is known of a queue's past; only keeps it when the tree has no such queue. */
    public void remember(String queue, PastUse known) {
        int node = tree.indexOf(queue);
        if (node < 0) {
            outside.put(queue, known);
        } else {
            past[node] = known;
            order.pastUse(node, known.mean(halfLife));
        }
    }

    /** What is known of every queue that has a past, as of now. */
    public Map<String, PastUse> known(Ledger committed) {
        Map<String, PastUse> known = new TreeMap<>(outside);
        for (int node = 0; node < past.length; node++) {
            add(node, committed);
            PastUse use = past[node];
            if (use != null) {
                known.put(tree.name(node), use);
            }
        }
        return known;
    }

    /** What is known of one queue, as of now, or since it left the tree; null when it has no past. */
    public @Nullable PastUse known(String queue, Ledger committed) {
        int node = tree.indexOf(queue);
        if (node < 0) {
            return outside.get(queue);
        }
        add(node, committed);
        return past[node];
    }

    /** Time goes on to a second; earlier ones change nothing. With a new epoch the order of queues learns all means. */
    public void goTo(long now, Ledger committed) {
        boolean newEpoch = now > second && now / (halfLife / 64) > second / (halfLife / 64);
        second = Math.max(second, now);
        if (newEpoch) {
            for (int node = 0; node < past.length; node++) {
                add(node, committed);
                PastUse use = past[node];
                order.pastUse(node, use == null ? 0 : use.mean(halfLife));
            }
        }
    }

    /** To be called before the committed charge of a queue changes, and again after it has. */
    public void around(int queue, Ledger committed) {
        for (int node = queue; node >= 0; node = tree.parent(node)) {
            add(node, committed);
        }
    }

    private void add(int node, Ledger committed) {
        PastUse use = past[node];
        if (use == null) {
            past[node] = share.of(committed, node) == 0 ? null : PastUse.startingAt(second, halfLife);
        } else if (use.second() < second) {
            past[node] = use.until(second, share.of(committed, node), halfLife);
        }
    }
}

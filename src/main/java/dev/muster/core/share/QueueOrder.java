package dev.muster.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whose candidate comes next. At each node of the tree the children that have a candidate compare by
 *
 * <ol>
 *   <li>whether they stay within what they have (S) with the candidate, in every dimension that it charges;
 *   <li>least load before admission: among those that do, U/S of the fullest dimension that the candidate charges; among the
 *       others (share + mean past share) / weight, and weight 0 last;
 *   <li>the older candidate;
 *   <li>the name.
 * </ol>
 *
 * Candidates of a queue that has children come after those of the children; roots compare by the last two rules.
 *
 * <p>Every inner node holds a tournament among its children. A change at one queue costs O(depth * (dimensions + log of the
 * children)), {@link #next} O(1). Nothing is allocated. Not for use by several threads at once.
 */
public final class QueueOrder {
    private static final int NONE = -1;
    /** For one in so many queues the way up is cheaper than all nodes. */
    private static final int FEW = 16;

    private static final byte WITHIN = 0;
    private static final byte BORROWING = 1;
    private static final byte WITHOUT_WEIGHT = 2;

    private final QuotaTree tree;
    private final Ledger committed;
    private final Share share;
    private final int above;
    private final @Nullable Charge[] offered;
    private final long[] since;
    private final long[] meanPast;
    private final int[] best;
    private final byte[] group;
    private final long[] load;
    private final long[] loadOf;
    private final int[] offset;
    private final int[] width;
    private final int[] winners;
    private final int roots;

    /** Without candidates. */
    public QueueOrder(QuotaTree tree, Ledger committed, Share share) {
        this.tree = tree;
        this.committed = committed;
        this.share = share;
        above = tree.size();
        offered = new Charge[above];
        since = new long[above];
        meanPast = new long[above];
        best = new int[above + 1];
        group = new byte[above];
        load = new long[above];
        loadOf = new long[above];
        offset = new int[above + 1];
        width = new int[above + 1];
        Arrays.fill(best, NONE);
        int rootCount = 0;
        while (rootCount < above && tree.parent(rootCount) == NONE) {
            rootCount++;
        }
        roots = rootCount;
        int cells = 0;
        for (int node = 0; node <= above; node++) {
            offset[node] = cells;
            int children = node == above ? roots : tree.childCount(node);
            width[node] = children == 0 ? 0 : Integer.highestOneBit(Math.max(1, 2 * children - 1));
            cells += 2 * width[node];
        }
        winners = new int[cells];
        Arrays.fill(winners, NONE);
    }

    /** Names a queue's candidate, in place of the one before. {@code first} is when it was first runnable. */
    public void offer(int queue, Charge charge, long first) {
        offered[queue] = charge;
        since[queue] = first;
        refresh(queue);
    }

    /**
     * Names the candidates of many queues at once, beside those that there are: at most O(all nodes), in place of a way up for each.
     *
     * @param charges what each queue's candidate is charged
     * @param firsts when each was first runnable
     * @param count how many of the entries count
     */
    public void offer(int[] queues, Charge[] charges, long[] firsts, int count) {
        if (count < above / FEW) {
            for (int i = 0; i < count; i++) {
                offer(queues[i], charges[i], firsts[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            offered[queues[i]] = charges[i];
            since[queues[i]] = firsts[i];
        }
        for (int node = above - 1; node >= 0; node--) {
            replayBelow(node);
            decide(node);
            winners[leaf(node)] = best[node] == NONE ? NONE : node;
        }
        replayBelow(above);
        decideRoot();
    }

    /** Takes all candidates away. */
    public void withdrawAll() {
        Arrays.fill(offered, null);
        Arrays.fill(best, NONE);
        Arrays.fill(winners, NONE);
    }

    /** Takes a queue's candidate away; nothing happens without one. */
    public void withdraw(int queue) {
        offered[queue] = null;
        refresh(queue);
    }

    /** Must be called after the committed charge of a queue has changed. */
    public void chargeChanged(int queue) {
        refresh(queue);
    }

    /** Sets the mean past share of a node, in units of 2^-20, 0 to {@link PastUse#MOST}. */
    public void pastUse(int node, long mean) {
        if (meanPast[node] != mean) {
            meanPast[node] = mean;
            refresh(node);
        }
    }

    /** The queue whose candidate is next; -1 when there is none. */
    public int next() {
        return best[above];
    }

    private void refresh(int from) {
        for (int node = from; node != NONE; node = tree.parent(node)) {
            decide(node);
            replay(node);
        }
        decideRoot();
    }

    private void decide(int node) {
        int winner = tree.childCount(node) == 0 ? NONE : winners[offset[node] + 1];
        best[node] = winner != NONE ? best[winner] : hasOffer(node) ? node : NONE;
        if (best[node] != NONE) {
            weigh(node);
        }
    }

    private void decideRoot() {
        int root = roots == 0 ? NONE : winners[offset[above] + 1];
        best[above] = root == NONE ? NONE : best[root];
    }

    private boolean hasOffer(int node) {
        return offered[node] != null;
    }

    private void weigh(int node) {
        int queue = best[node];
        Charge charge = offered[queue];
        group[node] = WITHIN;
        load[node] = 0;
        loadOf[node] = 1;
        if (tree.parent(node) == NONE) {
            return;
        }
        if (share.staysWithin(committed, node, queue, charge)) {
            weighFullest(node, charge);
            return;
        }
        long weight = tree.weight(node);
        group[node] = weight == 0 ? WITHOUT_WEIGHT : BORROWING;
        load[node] = share.of(committed, node) + meanPast[node];
        loadOf[node] = Math.max(1, weight);
    }

    private void weighFullest(int node, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            long has = tree.subtree(LedgerKind.NORMAL, node, charge.dim(i));
            long used = committed.used(node, charge.dim(i));
            if (has > 0 && Ratios.compare(used, has, load[node], loadOf[node]) > 0) {
                load[node] = used;
                loadOf[node] = has;
            }
        }
    }

    private void replay(int node) {
        int parent = parentOf(node);
        winners[leaf(node)] = best[node] == NONE ? NONE : node;
        for (int at = leaf(node) - offset[parent] >>> 1; at >= 1; at >>>= 1) {
            replay(parent, at);
        }
    }

    /** All matches among the children of a node, or among the roots. */
    private void replayBelow(int parent) {
        for (int at = width[parent] - 1; at >= 1; at--) {
            replay(parent, at);
        }
    }

    private void replay(int parent, int at) {
        winners[offset[parent] + at] = first(winners[offset[parent] + 2 * at], winners[offset[parent] + 2 * at + 1]);
    }

    private int parentOf(int node) {
        return tree.parent(node) == NONE ? above : tree.parent(node);
    }

    /** Where a node stands in the tournament of its parent. */
    private int leaf(int node) {
        int parent = parentOf(node);
        return offset[parent] + width[parent] + node - (parent == above ? 0 : tree.firstChild(parent));
    }

    private int first(int one, int other) {
        if (one == NONE || other == NONE) {
            return one == NONE ? other : one;
        }
        return compare(one, other) <= 0 ? one : other;
    }

    private int compare(int one, int other) {
        if (group[one] != group[other]) {
            return Byte.compare(group[one], group[other]);
        }
        int byLoad = Ratios.compare(load[one], loadOf[one], load[other], loadOf[other]);
        if (byLoad != 0) {
            return byLoad;
        }
        int byAge = Long.compare(since[best[one]], since[best[other]]);
        return byAge != 0 ? byAge : Integer.compare(one, other);
    }
}

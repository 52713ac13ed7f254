package dev.muster.core.share;

import java.util.Arrays;

/**
 * How much of what its parent can lend a node has borrowed:
 *
 * <pre>
 * share = max over resources of ( sum over classes of max(0, U - S) ) / ( sum over classes of S(parent) )
 * </pre>
 *
 * in units of 2^-20, rounded up. A root has none. Where the parent has nothing of a resource, the nearest ancestor that has
 * some stands in for it: children of a group without quota borrow from further up. A resource of which no ancestor has any
 * counts 0: only a change of policy can leave somebody borrowing there. Costs O(dimensions); nothing is allocated.
 */
public final class Share {
    /** The units of one whole: 2^20. */
    public static final long ONE = 1L << 20;
    /** The largest share: 2^40 units, a million times what the parent can lend. */
    public static final long MOST = 1L << 40;

    private final QuotaTree tree;
    private final long[] subtree;
    private final long[] lendable;
    private final long[] over;

    /** For all nodes of a tree. */
    public Share(QuotaTree tree) {
        this.tree = tree;
        subtree = tree.subtrees(LedgerKind.NORMAL);
        over = new long[tree.dimensions().resources()];
        lendable = new long[tree.size() * over.length];
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            for (int node = 0; node < tree.size(); node++) {
                int at = node * over.length + tree.dimensions().resourceOf(dim);
                lendable[at] = Ratios.plus(lendable[at], subtree[tree.index(dim, node)]);
            }
        }
        for (int at = 0; at < lendable.length; at++) {
            int parent = tree.parent(at / over.length);
            if (lendable[at] == 0 && parent >= 0) {
                lendable[at] = lendable[parent * over.length + at % over.length];
            }
        }
    }

    /** The share of a node with the use of a ledger, 0 to {@link #MOST}, not divided by its weight. */
    public long of(Ledger ledger, int node) {
        int parent = tree.parent(node);
        if (parent < 0) {
            return 0;
        }
        long[] used = ledger.useds();
        Arrays.fill(over, 0);
        boolean borrows = false;
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            int at = tree.index(dim, node);
            if (used[at] > subtree[at]) {
                int resource = tree.dimensions().resourceOf(dim);
                over[resource] = Ratios.plus(over[resource], used[at] - subtree[at]);
                borrows = true;
            }
        }
        return borrows ? largest(parent) : 0;
    }

    private long largest(int parent) {
        long largest = 0;
        for (int resource = 0; resource < over.length; resource++) {
            long lends = lendable[parent * over.length + resource];
            if (over[resource] > 0 && lends > 0) {
                largest = Math.max(largest, Ratios.scaledUp(over[resource], lends, 20, MOST));
            }
        }
        return largest;
    }

    /**
     * The level of a node that is not a root. A dimension of which it has nothing and uses nothing counts -1 beside others; a
     * node that has nothing at all is at its quota when it uses nothing.
     */
    public Level level(Ledger ledger, int node) {
        long[] used = ledger.useds();
        long most = 0;
        long of = 1;
        boolean hasSome = false;
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            int at = tree.index(dim, node);
            if (used[at] > subtree[at]) {
                return new Level(false, of(ledger, node), tree.weight(node));
            }
            if (subtree[at] > 0) {
                hasSome = true;
                if (Ratios.compare(used[at], subtree[at], most, of) > 0) {
                    most = used[at];
                    of = subtree[at];
                }
            }
        }
        return hasSome && most < of ? new Level(true, most, of) : Level.AT_QUOTA;
    }

    /** Whether a charge on top of the ledger keeps the node within what its subtree has, in every dimension of the charge. */
    public boolean staysWithin(Ledger ledger, int node, int queue, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            int at = tree.index(charge.dim(i), node);
            long rise = ledger.rise(queue, charge.dim(i), charge.amount(i), node);
            if (rise > subtree[at] - ledger.useds()[at]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a charge on top of the ledger lives on surplus towards an ancestor: every node below the ancestor on the way up
     * from the queue exceeds what its subtree has, in some dimension of the charge. Of no meaning for the queue itself.
     */
    public boolean onSurplus(Ledger ledger, int queue, Charge charge, int ancestor) {
        for (int node = queue; node != ancestor; node = tree.parent(node)) {
            if (staysWithin(ledger, node, queue, charge)) {
                return false;
            }
        }
        return true;
    }
}

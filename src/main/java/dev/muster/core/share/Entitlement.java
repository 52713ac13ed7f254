package dev.muster.core.share;

import java.util.Arrays;

/**
 * What each queue is due now (E), by weighted max-min of the demand above nominal.
 *
 * <pre>
 * base(leaf)  = max(firm charge, min(nominal, demand in every class it accepts))
 * base(inner) = max(own firm charge + sum of passed base, min(S, D))
 * E(root)     = base(root)
 * E(child)    = base + its part of [E(parent) - own firm charge of the parent - sum of passed base]
 * </pre>
 *
 * The part is by weighted max-min, rounded down, capped at min(D, limit) - base; weight 0 is served after all others, then
 * evenly. Demand (D) and base rise through the tree as use does: a child passes only what exceeds its kept quota. Each
 * dimension stands by itself. E depends on the firm gangs that run and on demand, never on which interruptible gangs run.
 *
 * <p>Time is linear in nodes for each dimension; nothing is allocated. Not for use by several threads at once.
 */
public final class Entitlement {
    private final QuotaTree tree;
    private final int[] parent;
    private final int[] firstChild;
    private final int[] childCount;
    private final long[] weight;
    private final long[] kept;
    private final long[] subtree;
    private final long[] limit;
    private final long[] nominal;
    private final long[] due;
    private final long[] base;
    private final long[] passedBase;
    private final WaterFill water = new WaterFill();

    /** Nobody is due anything until {@link #compute}. */
    public Entitlement(QuotaTree tree) {
        this.tree = tree;
        int nodes = tree.size();
        parent = new int[nodes];
        firstChild = new int[nodes];
        childCount = new int[nodes];
        weight = new long[nodes];
        Arrays.setAll(parent, tree::parent);
        Arrays.setAll(firstChild, tree::firstChild);
        Arrays.setAll(childCount, tree::childCount);
        Arrays.setAll(weight, tree::weight);
        kept = tree.kepts(LedgerKind.NORMAL);
        subtree = tree.subtrees(LedgerKind.NORMAL);
        limit = tree.limits(LedgerKind.NORMAL);
        nominal = tree.nominals();
        due = new long[tree.cells()];
        base = new long[nodes];
        passedBase = new long[nodes];
    }

    /**
     * Computes every dimension anew.
     *
     * @param demand committed charge and charge of the runnable waiting gangs, each once, in its first feasible class
     * @param inEveryClass the same, but each gang in every class that it accepts; may be {@code demand} itself
     * @param firm committed charge of the firm gangs
     */
    public void compute(Ledger demand, Ledger inEveryClass, Ledger firm) {
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            compute(dim, demand, inEveryClass, firm);
        }
    }

    /** Computes only the dimensions of a charge anew; the others keep what they had. */
    public void compute(Charge touched, Ledger demand, Ledger inEveryClass, Ledger firm) {
        for (int i = 0; i < touched.size(); i++) {
            compute(touched.dim(i), demand, inEveryClass, firm);
        }
    }

    void compute(int dim, Ledger demand, Ledger inEveryClass, Ledger firm) {
        int offset = tree.index(dim, 0);
        long[] wanted = demand.useds();
        long[] firmOwn = firm.owns();
        raiseBase(offset, wanted, inEveryClass.owns(), firmOwn);
        for (int node = 0; node < parent.length; node++) {
            if (parent[node] < 0) {
                due[offset + node] = base[node];
            }
            if (childCount[node] > 0) {
                divide(node, offset, wanted, firmOwn[offset + node]);
            }
        }
    }

    private void raiseBase(int offset, long[] wanted, long[] wantedAnywhere, long[] firmOwn) {
        Arrays.fill(passedBase, 0);
        for (int node = parent.length - 1; node >= 0; node--) {
            int at = offset + node;
            base[node] = childCount[node] == 0
                    ? Math.max(firmOwn[at], Math.min(nominal[at], wantedAnywhere[at]))
                    : Math.max(Ratios.plus(firmOwn[at], passedBase[node]), Math.min(subtree[at], wanted[at]));
            if (parent[node] >= 0) {
                passedBase[parent[node]] = Ratios.plus(passedBase[parent[node]], Math.max(0, base[node] - kept[at]));
            }
        }
    }

    private void divide(int node, int offset, long[] wanted, long ownFirm) {
        int first = firstChild[node];
        int end = first + childCount[node];
        for (int child = first; child < end; child++) {
            due[offset + child] = base[child];
        }
        long rest = due[offset + node] - ownFirm - passedBase[node];
        if (rest > 0) {
            rest = share(first, end, offset, wanted, rest, false);
        }
        if (rest > 0) {
            share(first, end, offset, wanted, rest, true);
        }
    }

    private long share(int first, int end, int offset, long[] wanted, long amount, boolean weightless) {
        water.start(end - first);
        for (int child = first; child < end; child++) {
            if ((weight[child] == 0) == weightless) {
                int at = offset + child;
                long most = Math.min(wanted[at], limit[at]);
                water.add(Math.max(0, most - base[child]), weightless ? 1 : weight[child]);
            }
        }
        long rest = water.divide(amount);
        int claimant = 0;
        for (int child = first; child < end; child++) {
            if ((weight[child] == 0) == weightless) {
                due[offset + child] += water.part(claimant++);
            }
        }
        return rest;
    }

    /** What the subtree of a node is due in one dimension. */
    public long due(int node, int dim) {
        return due[tree.index(dim, node)];
    }

    /** Takes over all figures of another one of the same tree. */
    public void copy(Entitlement other) {
        System.arraycopy(other.due, 0, due, 0, due.length);
    }

    /** The tree that it is about. */
    public QuotaTree tree() {
        return tree;
    }

    long[] dues() {
        return due;
    }
}

package dev.muster.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Use of quota, counted per node and dimension: U = own charge + sum of what the children pass, where a child passes only
 * what exceeds its kept quota.
 *
 * <p>Charging and uncharging walk the way up from the queue, O(depth) for each dimension of the charge, and stop where
 * nothing is passed. Nothing is allocated. The same structure carries demand and covered charge, which rise in the same way.
 * Not for use by several threads at once.
 */
public final class Ledger {
    private static final int NONE = -1;

    private final QuotaTree tree;
    private final LedgerKind kind;
    private final int[] parents;
    private final long[] kept;
    private final long[] limit;
    private final long[] own;
    private final long[] used;
    /** By node the number of the fall in which its use fell last. */
    private final long[] fell;

    private long falls;

    /** An empty ledger. */
    public Ledger(QuotaTree tree, LedgerKind kind) {
        this.tree = tree;
        this.kind = kind;
        kept = tree.kepts(kind);
        limit = tree.limits(kind);
        own = new long[tree.cells()];
        used = new long[tree.cells()];
        fell = new long[tree.size()];
        parents = new int[tree.size()];
        Arrays.setAll(parents, tree::parent);
    }

    /** The tree whose quota it counts. */
    public QuotaTree tree() {
        return tree;
    }

    /** Which limits it counts against. */
    public LedgerKind kind() {
        return kind;
    }

    /**
     * Adds the charge of a gang of the queue at {@code node}, without asking whether it fits.
     *
     * @throws ArithmeticException when a sum is too large to count
     */
    public void charge(int node, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            add(node, charge.dim(i), charge.amount(i));
        }
    }

    /**
     * Takes a charge off again.
     *
     * @throws IllegalStateException when so much was never charged to the queue
     */
    public void uncharge(int node, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            int at = tree.index(charge.dim(i), node);
            if (own[at] < charge.amount(i)) {
                throw new IllegalStateException("queue \"" + tree.name(node) + "\" has " + own[at] + " charged of "
                        + tree.dimensions().get(charge.dim(i)) + ", and " + charge.amount(i) + " should be taken off");
            }
            add(node, charge.dim(i), -charge.amount(i));
        }
    }

    private void add(int queue, int dim, long amount) {
        int base = tree.index(dim, 0);
        own[base + queue] = Math.addExact(own[base + queue], amount);
        long rising = amount;
        falls += amount < 0 ? 1 : 0;
        for (int node = queue; node != NONE && rising != 0; node = parents[node]) {
            int at = base + node;
            long before = Math.max(0, used[at] - kept[at]);
            used[at] = Math.addExact(used[at], rising);
            fell[node] = rising < 0 ? falls : fell[node];
            rising = Math.max(0, used[at] - kept[at]) - before;
        }
    }

    /** Whether a charge fits: it raises no node's use above that node's limit. */
    public boolean admits(int queue, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            if (exhausted(queue, charge.dim(i), charge.amount(i)) != NONE) {
                return false;
            }
        }
        return true;
    }

    /** Why a charge does not fit; null when it does. Allocates only a refusal. */
    public @Nullable Refusal refusal(int queue, Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            int dim = charge.dim(i);
            int node = exhausted(queue, dim, charge.amount(i));
            if (node != NONE) {
                int at = tree.index(dim, node);
                long missing = rise(queue, dim, charge.amount(i), node) - (limit[at] - used[at]);
                return new Refusal(kind, node, dim, used[at], limit[at], missing);
            }
        }
        return null;
    }

    private int exhausted(int queue, int dim, long amount) {
        int base = tree.index(dim, 0);
        long rising = amount;
        for (int node = queue; node != NONE && rising > 0; node = parents[node]) {
            int at = base + node;
            if (rising > limit[at] - used[at]) {
                return node;
            }
            rising = passed(at, rising);
        }
        return NONE;
    }

    /** By how much the use of {@code ancestor} would rise with an amount charged to the queue below it, or itself. */
    public long rise(int queue, int dim, long amount, int ancestor) {
        int base = tree.index(dim, 0);
        long rising = amount;
        for (int node = queue; node != ancestor && rising > 0; node = parents[node]) {
            rising = passed(base + node, rising);
        }
        return rising;
    }

    private long passed(int at, long rising) {
        long free = kept[at] - used[at];
        return free <= 0 ? rising : Math.max(0, rising - free);
    }

    /** How much more the queue could be charged in one dimension; {@link QuotaTree#UNLIMITED} when there is no bound. */
    public long available(int node, int dim) {
        int at = tree.index(dim, node);
        if (parents[node] == NONE) {
            return limit[at] == QuotaTree.UNLIMITED ? QuotaTree.UNLIMITED : Math.max(0, limit[at] - used[at]);
        }
        long free = Math.max(0, kept[at] - used[at]);
        long passedNow = Math.max(0, used[at] - kept[at]);
        long mayPass = limit[at] == QuotaTree.UNLIMITED ? QuotaTree.UNLIMITED : limit[at] - kept[at] - passedNow;
        return Ratios.plus(free, Math.max(0, Math.min(mayPass, available(parents[node], dim))));
    }

    /** How often use has fallen anywhere. */
    public long falls() {
        return falls;
    }

    /** Whether more than before may be {@link #available} to a queue, after so many {@link #falls}; never a wrong no. O(depth). */
    public boolean hasFallenSince(int queue, long past) {
        for (int node = queue; node != NONE; node = parents[node]) {
            if (fell[node] > past) {
                return true;
            }
        }
        return false;
    }

    /** U: what the subtree of a node uses. */
    public long used(int node, int dim) {
        return used[tree.index(dim, node)];
    }

    /** What gangs of the queue itself use. */
    public long own(int node, int dim) {
        return own[tree.index(dim, node)];
    }

    /** What a node passes to its parent. */
    public long passed(int node, int dim) {
        int at = tree.index(dim, node);
        return Math.max(0, used[at] - kept[at]);
    }

    /** Forgets all charges. */
    public void clear() {
        Arrays.fill(own, 0);
        Arrays.fill(used, 0);
        Arrays.fill(fell, ++falls);
    }

    /**
     * The same own charges on another tree, after a change of policy. Charges at queues or in dimensions that the other tree
     * does not have are left out; whoever knows the gangs must look after those.
     */
    public Ledger onto(QuotaTree next) {
        Ledger moved = new Ledger(next, kind);
        for (int dim = 0; dim < tree.dimensions().size(); dim++) {
            Dimensions.Dimension dimension = tree.dimensions().get(dim);
            int newDim = next.dimensions().indexOf(dimension.nodeClass(), dimension.resource());
            for (int node = 0; newDim >= 0 && node < tree.size(); node++) {
                int newNode = next.indexOf(tree.name(node));
                if (newNode >= 0 && own(node, dim) > 0) {
                    moved.add(newNode, newDim, own(node, dim));
                }
            }
        }
        return moved;
    }

    /** Another ledger with the same charges. */
    public Ledger copy() {
        Ledger copy = new Ledger(tree, kind);
        System.arraycopy(own, 0, copy.own, 0, own.length);
        System.arraycopy(used, 0, copy.used, 0, used.length);
        return copy;
    }

    long[] useds() {
        return used;
    }

    long[] owns() {
        return own;
    }
}

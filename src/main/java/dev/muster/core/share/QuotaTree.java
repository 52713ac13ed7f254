package dev.muster.core.share;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Queue;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues with their quota, immutable: a change of policy is a new tree.
 *
 * <p>Nodes have numbers from 0, level by level, so a parent's number is below its children's, and the children of a node
 * are a run of numbers in the order of their names. There may be several roots. Per node and dimension:
 *
 * <pre>
 * S    = nominal + sum of what the children lend          what the subtree has
 * lent = min(S, lending limit)                            what others may use of it
 * kept = S - lent, and 0 at a root                        what only the subtree may use
 * limit = S + borrowing limit, and S at a root            what its use may never be raised above
 * </pre>
 *
 * The firm figures are the same with every lending limit replaced by the firm one. Amounts are in the units of
 * {@link dev.muster.core.model.Amounts}; sums stop at {@link #UNLIMITED} and are never wrapped.
 */
public final class QuotaTree {
    /** A limit that is none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int NONE = -1;

    private final Dimensions dimensions;
    private final List<Queue> queues;
    private final SortedMap<String, String> problems;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final int[] parent;
    private final int[] depth;
    private final int[] firstChild;
    private final int[] childCount;
    private final long[] nominal;
    private final long[][] subtree = new long[LedgerKind.values().length][];
    private final long[][] kept = new long[LedgerKind.values().length][];
    private final long[][] limit = new long[LedgerKind.values().length][];
    private final @Nullable Ledger[] unused = new Ledger[LedgerKind.values().length];

    private QuotaTree(TreeShape shape, Dimensions dimensions) {
        this.dimensions = dimensions;
        queues = shape.queues();
        problems = Collections.unmodifiableSortedMap(shape.problems());
        int nodes = queues.size();
        parent = new int[nodes];
        depth = new int[nodes];
        firstChild = new int[nodes];
        childCount = new int[nodes];
        Arrays.fill(firstChild, nodes);
        for (int node = 0; node < nodes; node++) {
            numbers.put(queues.get(node).name(), node);
            String above = queues.get(node).parent();
            parent[node] = above == null ? NONE : numbers.getOrDefault(above, NONE);
            if (parent[node] != NONE) {
                depth[node] = depth[parent[node]] + 1;
                firstChild[parent[node]] = Math.min(firstChild[parent[node]], node);
                childCount[parent[node]]++;
            }
        }
        nominal = new long[nodes * dimensions.size()];
        long[] borrowing = filled(UNLIMITED);
        long[] lending = filled(UNLIMITED);
        long[] firmLending = filled(0);
        readQuotas(borrowing, lending, firmLending);
        derive(LedgerKind.NORMAL, lending, borrowing);
        derive(LedgerKind.FIRM, firmLending, borrowing);
    }

    /**
     * The tree of these queues. A queue whose parent does not exist, that is its own ancestor, that hangs below such a queue
     * or that is declared twice is left out and stands in {@link #problems}. A quota of a dimension that is not among the
     * given ones is left out as well: nothing can be charged to it.
     */
    public static QuotaTree of(Collection<Queue> queues, Dimensions dimensions) {
        return new QuotaTree(TreeShape.of(queues), dimensions);
    }

    private long[] filled(long value) {
        long[] array = new long[nominal.length];
        Arrays.fill(array, value);
        return array;
    }

    private void readQuotas(long[] borrowing, long[] lending, long[] firmLending) {
        for (int node = 0; node < queues.size(); node++) {
            for (Queue.Quota quota : queues.get(node).quotas()) {
                int dim = dimensions.indexOf(quota.nodeClass(), quota.resource());
                if (dim >= 0) {
                    int at = index(dim, node);
                    nominal[at] = quota.nominal();
                    borrowing[at] = quota.borrowing().orElse(UNLIMITED);
                    lending[at] = quota.lending().orElse(UNLIMITED);
                    firmLending[at] = quota.firmLending();
                }
            }
        }
    }

    private void derive(LedgerKind kind, long[] lendingLimit, long[] borrowing) {
        long[] has = nominal.clone();
        long[] keeps = new long[has.length];
        long[] most = new long[has.length];
        for (int dim = 0; dim < dimensions.size(); dim++) {
            for (int node = queues.size() - 1; node >= 0; node--) {
                int at = index(dim, node);
                if (parent[node] == NONE) {
                    most[at] = has[at];
                    continue;
                }
                long lent = Math.min(has[at], lendingLimit[at]);
                keeps[at] = has[at] - lent;
                most[at] = Ratios.plus(has[at], borrowing[at]);
                int above = index(dim, parent[node]);
                has[above] = Ratios.plus(has[above], lent);
            }
        }
        subtree[kind.ordinal()] = has;
        kept[kind.ordinal()] = keeps;
        limit[kind.ordinal()] = most;
    }

    /** How many nodes it has. */
    public int size() {
        return queues.size();
    }

    /** What quota is counted in. */
    public Dimensions dimensions() {
        return dimensions;
    }

    /** Why queues are left out, by name; the text names the queue and a likely cure. */
    public SortedMap<String, String> problems() {
        return problems;
    }

    /** The number of a queue; -1 when the tree has none of that name. */
    public int indexOf(String name) {
        return numbers.getOrDefault(name, NONE);
    }

    /** The queue at a node. */
    public Queue queue(int node) {
        return queues.get(node);
    }

    /** The name of the queue at a node. */
    public String name(int node) {
        return queues.get(node).name();
    }

    /** The parent of a node; -1 at a root. */
    public int parent(int node) {
        return parent[node];
    }

    /** How far below its root a node is; 0 at a root. */
    public int depth(int node) {
        return depth[node];
    }

    /** The first child of a node; its others follow. Of no meaning without children. */
    public int firstChild(int node) {
        return firstChild[node];
    }

    /** How many children a node has. */
    public int childCount(int node) {
        return childCount[node];
    }

    /** The weight of a node among its siblings, 0 to 1,000,000. */
    public long weight(int node) {
        return queues.get(node).weight();
    }

    /** The lowest node that has both below it or is one of them; -1 when they stand under different roots. */
    public int lowestCommonAncestor(int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            if (a > b) {
                a = parent[a];
            } else {
                b = parent[b];
            }
            if (a == NONE || b == NONE) {
                return NONE;
            }
        }
        return a;
    }

    /** The ancestor of {@code node}, or itself, that is a child of {@code ancestor}. */
    public int childTowards(int ancestor, int node) {
        int here = node;
        while (parent[here] != ancestor) {
            here = parent[here];
        }
        return here;
    }

    /** The declared nominal quota. */
    public long nominal(int node, int dim) {
        return nominal[index(dim, node)];
    }

    /** S: what the subtree has. */
    public long subtree(LedgerKind kind, int node, int dim) {
        return subtree[kind.ordinal()][index(dim, node)];
    }

    /** What others may use of the subtree's quota; {@code subtree - kept}. */
    public long lent(LedgerKind kind, int node, int dim) {
        return subtree(kind, node, dim) - kept(kind, node, dim);
    }

    /** What only the subtree may use; 0 at a root. */
    public long kept(LedgerKind kind, int node, int dim) {
        return kept[kind.ordinal()][index(dim, node)];
    }

    /** What the use of the node may never be raised above. */
    public long limit(LedgerKind kind, int node, int dim) {
        return limit[kind.ordinal()][index(dim, node)];
    }

    /** The most that one queue could use while nobody else uses anything. */
    public long potential(LedgerKind kind, int node, int dim) {
        return unused(kind).available(node, dim);
    }

    /** Why a charge does not fit even when nobody uses anything; null when it does. */
    public @Nullable Refusal neverFits(LedgerKind kind, int node, Charge charge) {
        return unused(kind).refusal(node, charge);
    }

    /** The ledger in which nobody uses anything; only read. */
    private Ledger unused(LedgerKind kind) {
        Ledger known = unused[kind.ordinal()];
        if (known == null) {
            known = new Ledger(this, kind);
            unused[kind.ordinal()] = known;
        }
        return known;
    }

    /** The place of a node and dimension in arrays: dimension by dimension, so that siblings lie side by side. */
    int index(int dim, int node) {
        return dim * parent.length + node;
    }

    /** Length of an array with one place per node and dimension. */
    int cells() {
        return nominal.length;
    }

    long[] nominals() {
        return nominal;
    }

    long[] subtrees(LedgerKind kind) {
        return subtree[kind.ordinal()];
    }

    long[] kepts(LedgerKind kind) {
        return kept[kind.ordinal()];
    }

    long[] limits(LedgerKind kind) {
        return limit[kind.ordinal()];
    }

    /** How large a charge is beside what there is: over dimensions the sum of charge / all that the roots have, in 2^-20. */
    public long size(Charge charge) {
        long size = 0;
        for (int i = 0; i < charge.size(); i++) {
            long all = 0;
            for (int node = 0; node < size() && parent(node) < 0; node++) {
                all += Math.min(subtree(LedgerKind.NORMAL, node, charge.dim(i)), Amounts.LARGEST);
            }
            size += charge.amount(i) / Math.max(1, all >> 20);
        }
        return size;
    }
}

package dev.muster.core.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which committed gangs are inside what their queues are due, and how far up they had to go for it.
 *
 * <p>Leaves first, each node takes its gangs in order: it covers each one that keeps covered charge within E, and sends the
 * others up. A gang that goes up is still charged at its own queue and rises through kept quota as use does; only the part
 * that reaches a node counts there. So covered charge is a {@link Ledger} of the covered gangs, and the test at a node looks
 * at the rise there.
 *
 * <p>Gangs are kept sorted; a computation costs O(gangs * depth * dimensions of a charge) and the sorting of those that go
 * up. Not for use by several threads at once.
 */
public final class Cover {
    /** Covered nowhere. */
    public static final int NOWHERE = -1;

    private final QuotaTree tree;
    private final List<List<Stake>> ofQueue = new ArrayList<>();
    private final List<List<Stake>> going = new ArrayList<>();
    private final Ledger covered;
    private int slots;

    /** Without any gang. */
    public Cover(QuotaTree tree) {
        this.tree = tree;
        covered = new Ledger(tree, LedgerKind.NORMAL);
        for (int node = 0; node < tree.size(); node++) {
            ofQueue.add(new ArrayList<>());
            going.add(new ArrayList<>());
        }
    }

    /** Adds a committed gang. O(log n), and the shifting of a list. */
    public void add(Stake stake) {
        List<Stake> gangs = ofQueue.get(stake.queue());
        int at = Collections.binarySearch(gangs, stake, Stake::compareInQueue);
        if (at >= 0) {
            throw new IllegalStateException("gang " + stake.uid() + " is committed twice");
        }
        gangs.add(-at - 1, stake);
        slots = Math.max(slots, stake.slot() + 1);
    }

    /** Removes a gang that was added with the same values. */
    public void remove(Stake stake) {
        List<Stake> gangs = ofQueue.get(stake.queue());
        int at = Collections.binarySearch(gangs, stake, Stake::compareInQueue);
        if (at < 0) {
            throw new IllegalStateException("gang " + stake.uid() + " is not committed");
        }
        gangs.remove(at);
    }

    /** The committed gangs of a queue, in its order; not to be changed. */
    public List<Stake> gangs(int queue) {
        return Collections.unmodifiableList(ofQueue.get(queue));
    }

    /** Length that an array of results must have at least. */
    public int slots(@Nullable Stake candidate) {
        return candidate == null ? slots : Math.max(slots, candidate.slot() + 1);
    }

    /**
     * Where each gang is covered.
     *
     * @param due what each node is due
     * @param candidate a waiting gang that is treated as committed last; null for none
     * @param coveredAt result by slot: number of the node, or {@link #NOWHERE}; slots without gang are NOWHERE
     */
    public void compute(Entitlement due, @Nullable Stake candidate, int[] coveredAt) {
        Arrays.fill(coveredAt, NOWHERE);
        covered.clear();
        for (int node = tree.size() - 1; node >= 0; node--) {
            take(node, gangsAt(node, candidate), due.dues(), coveredAt);
        }
    }

    /**
     * Whether an interruptible candidate's own queue would cover it. Exact and cheap, O(gangs of the queue): those before it
     * in the order stay where they are, and what is due does not change.
     *
     * @param coveredAt where the committed gangs are covered now
     */
    public boolean coversInQueue(Entitlement due, Stake candidate, int[] coveredAt) {
        List<Stake> gangs = ofQueue.get(candidate.queue());
        Charge charge = candidate.charge();
        for (int i = 0; i < charge.size(); i++) {
            long room = due.due(candidate.queue(), charge.dim(i)) - charge.amount(i);
            for (int at = 0; at < gangs.size() && room >= 0; at++) {
                Stake gang = gangs.get(at);
                if (gang.compareInQueue(candidate) > 0) {
                    break;
                }
                room -= coveredAt[gang.slot()] == candidate.queue()
                        ? gang.charge().amountIn(charge.dim(i))
                        : 0;
            }
            if (room < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * The same for a queue without children, O(gangs of the queue): nobody else's gangs are looked at there.
     */
    public boolean coversInLeaf(Entitlement due, Stake candidate) {
        long[] covers = new long[tree.dimensions().size()];
        for (Stake gang : ofQueue.get(candidate.queue())) {
            if (gang.compareInQueue(candidate) > 0) {
                break;
            }
            if (isWithin(due, gang, covers)) {
                for (int i = 0; i < gang.charge().size(); i++) {
                    covers[gang.charge().dim(i)] += gang.charge().amount(i);
                }
            }
        }
        return isWithin(due, candidate, covers);
    }

    private static boolean isWithin(Entitlement due, Stake gang, long[] covers) {
        Charge charge = gang.charge();
        for (int i = 0; i < charge.size(); i++) {
            if (charge.amount(i) > due.due(gang.queue(), charge.dim(i)) - covers[charge.dim(i)]) {
                return false;
            }
        }
        return true;
    }

    /** The gangs that a node looks at: its own, and above a leaf those that came up. */
    private List<Stake> gangsAt(int node, @Nullable Stake candidate) {
        List<Stake> own = ofQueue.get(node);
        boolean takesCandidate = candidate != null && candidate.queue() == node;
        List<Stake> here = going.get(node);
        if (tree.childCount(node) == 0) {
            if (!takesCandidate) {
                return own;
            }
            here.addAll(own);
            int at = Collections.binarySearch(here, candidate, Stake::compareInQueue);
            here.add(at < 0 ? -at - 1 : at, candidate);
            return here;
        }
        here.addAll(own);
        if (takesCandidate) {
            here.add(candidate);
        }
        here.sort(Stake::compareAbove);
        return here;
    }

    private void take(int node, List<Stake> gangs, long[] due, int[] coveredAt) {
        int parent = tree.parent(node);
        for (int i = 0; i < gangs.size(); i++) {
            Stake gang = gangs.get(i);
            if (isWithin(node, gang, due)) {
                coveredAt[gang.slot()] = node;
                covered.charge(gang.queue(), gang.charge());
            } else if (parent >= 0) {
                going.get(parent).add(gang);
            }
        }
        going.get(node).clear();
    }

    private boolean isWithin(int node, Stake gang, long[] due) {
        long[] used = covered.useds();
        Charge charge = gang.charge();
        for (int i = 0; i < charge.size(); i++) {
            int at = tree.index(charge.dim(i), node);
            long rise = covered.rise(gang.queue(), charge.dim(i), charge.amount(i), node);
            if (rise > 0 && rise > due[at] - used[at]) {
                return false;
            }
        }
        return true;
    }
}

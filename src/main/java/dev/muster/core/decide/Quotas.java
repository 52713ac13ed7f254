package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Dimensions;
import dev.muster.core.share.Dimensions.Dimension;
import dev.muster.core.share.Ledger;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.PastShares;
import dev.muster.core.share.PastUse;
import dev.muster.core.share.QueueOrder;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Refusal;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All queues, and the two ledgers of what their gangs hold and what they are committed to, kept right through changes of
 * policy.
 *
 * <p>A change of a queue makes a new {@link QuotaTree} before the next question, and every commitment, holding and demand is
 * entered anew there: O(running gangs + lanes). A gang of a queue that is gone or broken is charged nowhere until the queue
 * is back; it keeps its nodes meanwhile. A gang is charged, per node class, for the resources that its queue names there,
 * and always for the GPUs of the class that it makes unusable.
 */
public final class Quotas {
    /** What equal gangs of one lane count as wanting at most, per dimension: more than any quota. */
    private static final long LARGEST_DEMAND = 1L << 50;
    /** The slot of a gang that is looked at and not committed. */
    private static final int CANDIDATE_SLOT = 0;

    private final Function<String, Amounts> nodeSizes;
    private final TreeMap<String, Queue> queues = new TreeMap<>();
    private final Map<String, String> gpuOfClass = new TreeMap<>();
    private final Map<String, Commitment> committed = new LinkedHashMap<>();
    private final Map<String, Commitment> held = new LinkedHashMap<>();
    private final Map<Object, Demand> demands = new LinkedHashMap<>();
    private final Map<String, Stake> stakes = new HashMap<>();
    private final Map<String, Integer> slots = new HashMap<>();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final List<String> uidOfSlot = new ArrayList<>(List.of(""));
    private int interruptible;
    private boolean changed = true;
    private QuotaTree tree = QuotaTree.of(List.of(), Dimensions.of(List.of()));
    private Standing standing = new Standing(tree);
    private Ledger holding = new Ledger(tree, LedgerKind.NORMAL);
    private Ledger firmHolding = new Ledger(tree, LedgerKind.FIRM);
    private Share share = new Share(tree);
    private QueueOrder order = new QueueOrder(tree, standing.committed(), share);
    private long second;
    private final long halfLife;
    private final Map<String, PastUse> remembered = new HashMap<>();
    private PastShares past;

    /** What equal waiting gangs of one queue want: {@code count} times a charge, by node class, the first class first. */
    private record Demand(String queue, List<Map.Entry<String, Amounts>> byClass, int count) {}

    /**
     * No queues yet.
     *
     * @param nodeSizes what a node of a class offers, to measure members by
     * @param halfLife by when half of past use is forgotten, in seconds, at least 64
     */
    public Quotas(Function<String, Amounts> nodeSizes, long halfLife) {
        this.nodeSizes = nodeSizes;
        this.halfLife = halfLife;
        past = new PastShares(tree, share, order, halfLife, 0);
    }

    // ---- queues

    /** A queue was created or changed. */
    public void put(Queue queue) {
        changed |= !queue.equals(queues.put(queue.name(), queue));
    }

    /** A queue is gone; what its gangs hold stays in mind. */
    public void remove(String name) {
        changed |= queues.remove(name) != null;
    }

    /** The class's GPU is always charged for, whether or not a queue names it. */
    public void putClass(String nodeClass, String gpu) {
        changed |= !gpu.equals(gpuOfClass.put(nodeClass, gpu));
    }

    /** One queue; null when there is none of that name. */
    public @Nullable Queue get(String name) {
        return queues.get(name);
    }

    /** How a queue protects its gangs and stops them; the defaults when it is gone. */
    public Queue.Preemption preemption(String name) {
        Queue queue = queues.get(name);
        return queue == null ? Queue.Preemption.DEFAULT : queue.preemption();
    }

    /** All queues, by name. */
    public List<Queue> all() {
        return List.copyOf(queues.values());
    }

    /** Why a queue is not part of the tree; empty when it is. */
    public Optional<String> problem(String name) {
        settle();
        return Optional.ofNullable(tree.problems().get(name));
    }

    /** A queue and those above it, the root last; empty when it is not in the tree. */
    public List<Queue> path(String name) {
        settle();
        List<Queue> path = new ArrayList<>();
        for (int node = tree.indexOf(name); node >= 0; node = tree.parent(node)) {
            path.add(tree.queue(node));
        }
        return path;
    }

    /** The first queue on the way up that is stopped; null when none is. */
    public @Nullable Queue stopped(String name) {
        settle();
        for (int node = tree.indexOf(name); node >= 0; node = tree.parent(node)) {
            if (tree.queue(node).stop() != Queue.Stop.NONE) {
                return tree.queue(node);
            }
        }
        return null;
    }

    /** Whether the queue, or one above it, names the class in any quota. */
    public boolean names(String queue, String nodeClass) {
        settle();
        for (int node = tree.indexOf(queue); node >= 0; node = tree.parent(node)) {
            if (tree.queue(node).quotas().stream()
                    .anyMatch(quota -> quota.nodeClass().equals(nodeClass))) {
                return true;
            }
        }
        return false;
    }

    /**
     * What one member of a queue is charged in this class: of its requests the resources that the queue names there, and
     * always GPUs: those that it makes unusable.
     */
    public Amounts chargeable(String queue, String nodeClass, Amounts requests) {
        Queue of = queues.get(queue);
        String gpu = gpuOfClass.get(nodeClass);
        Map<String, Long> charged = new TreeMap<>();
        requests.byResource().forEach((resource, amount) -> {
            boolean named = of != null
                    && of.quotas().stream()
                            .anyMatch(quota -> quota.nodeClass().equals(nodeClass)
                                    && quota.resource().equals(resource));
            if (named) {
                charged.put(resource, amount);
            }
        });
        if (gpu != null) {
            charged.put(gpu, Unusable.gpus(requests, gpu, nodeSizes.apply(nodeClass)));
        }
        return Amounts.of(charged);
    }

    /** What all members of a gang together are charged in this class. */
    public Amounts charge(Gang gang, String nodeClass) {
        Amounts sum = Amounts.NONE;
        for (PodSet podset : gang.podsets()) {
            Amounts each = chargeable(gang.queue(), nodeClass, podset.shape().requests());
            sum = sum.plus(each.times(podset.count()));
        }
        return sum;
    }

    // ---- time and past use

    /** Time goes on; in milliseconds since the epoch. */
    public void at(long now) {
        second = now / 1_000;
        settle();
        past.goTo(second, standing.committed());
    }

    /** Goes on from what was stored of a queue's past use. */
    public void remember(String queue, PastUse use) {
        remembered.put(queue, use);
        int node = tree.indexOf(queue);
        if (!changed && node >= 0) {
            past.remember(node, use);
        }
    }

    /** What a queue has borrowed in the past; empty when it never did. */
    public Optional<PastUse> pastUse(String queue) {
        settle();
        int node = tree.indexOf(queue);
        return Optional.ofNullable(node < 0 ? remembered.get(queue) : past.of(node));
    }

    // ---- ledgers

    /** Enters what a gang is committed to, in place of what was entered for it before; null takes it out. */
    public void commit(String uid, @Nullable Commitment commitment) {
        settle();
        Stake before = stakes.remove(uid);
        if (before != null) {
            past.around(before.queue(), standing.committed());
            standing.release(before);
            past.around(before.queue(), standing.committed());
            order.chargeChanged(before.queue());
            interruptible -= before.firm() ? 0 : 1;
        }
        if (commitment == null) {
            committed.remove(uid);
            Integer slot = slots.remove(uid);
            if (slot != null) {
                freeSlots.add(slot);
            }
            return;
        }
        committed.put(uid, commitment);
        enter(commitment);
    }

    /** Enters what a gang really holds, in place of what was entered for it before; null takes it out. */
    public void hold(String uid, @Nullable Commitment commitment) {
        settle();
        Commitment before = commitment == null ? held.remove(uid) : held.put(uid, commitment);
        if (before != null) {
            enterHeld(before, -1);
        }
        if (commitment != null) {
            enterHeld(commitment, 1);
        }
    }

    /**
     * Sets what equal waiting gangs want, in place of what this key wanted before; {@code count} 0 takes it out.
     *
     * @param byClass the charge of one of them in every class that it accepts, the first feasible one first
     */
    public void want(Object key, String queue, List<Map.Entry<String, Amounts>> byClass, int count) {
        settle();
        Demand before = demands.remove(key);
        if (before != null) {
            enter(before, -1);
        }
        if (count > 0 && !byClass.isEmpty()) {
            Demand demand = new Demand(queue, List.copyOf(byClass), count);
            demands.put(key, demand);
            enter(demand, 1);
        }
    }

    /** Where everybody stands with what is committed. */
    public Standing standing() {
        settle();
        return standing;
    }

    /** The order in which queues are served; candidates are offered by node of {@link #tree}. */
    public QueueOrder order() {
        settle();
        return order;
    }

    /** The tree of the queues that are well. */
    public QuotaTree tree() {
        settle();
        return tree;
    }

    /** Whether a gang that waits is inside what its own queue is due, if it were admitted last. */
    public boolean coversInQueue(Stake candidate) {
        settle();
        return standing.cover().coversInQueue(standing.due(), candidate, standing.coveredAt());
    }

    /** Whether somebody is committed who could be preempted. */
    public boolean hasInterruptible() {
        return interruptible > 0;
    }

    /** The gang behind a stake of {@link #standing}. */
    public String uid(Stake stake) {
        return uidOfSlot.get(stake.slot());
    }

    /** The stake of a committed gang, valid until policy changes; null when it has none. */
    public @Nullable Stake stake(String uid) {
        settle();
        return stakes.get(uid);
    }

    /** A gang as a candidate, not committed; null when its queue is not in the tree. */
    public @Nullable Stake candidate(Commitment gang) {
        settle();
        int node = tree.indexOf(gang.queue());
        return node < 0 ? null : stake(CANDIDATE_SLOT, node, gang, Stake.CANDIDATE);
    }

    /** Why quota keeps a candidate out for now; null when both ledgers let it in. */
    public @Nullable Refusal refusal(Stake candidate) {
        Refusal refusal = standing.refusal(candidate);
        return refusal != null ? refusal : heldRefusal(candidate);
    }

    /** Why what is really held keeps a candidate out; null when it does not. */
    public @Nullable Refusal heldRefusal(Stake candidate) {
        Refusal refusal = holding.refusal(candidate.queue(), candidate.charge());
        return refusal != null || !candidate.firm()
                ? refusal
                : firmHolding.refusal(candidate.queue(), candidate.charge());
    }

    /** What a queue itself really uses of a resource of a class; 0 when it is not in the tree. */
    public long used(String queue, String nodeClass, String resource) {
        settle();
        int node = tree.indexOf(queue);
        int dim = tree.dimensions().indexOf(nodeClass, resource);
        return node < 0 || dim < 0 ? 0 : holding.used(node, dim);
    }

    // ---- the tree behind it

    private void settle() {
        if (!changed) {
            return;
        }
        changed = false;
        rememberPastUse();
        tree = QuotaTree.of(queues.values(), dimensions());
        standing = new Standing(tree);
        holding = new Ledger(tree, LedgerKind.NORMAL);
        firmHolding = new Ledger(tree, LedgerKind.FIRM);
        share = new Share(tree);
        order = new QueueOrder(tree, standing.committed(), share);
        past = new PastShares(tree, share, order, halfLife, second);
        stakes.clear();
        interruptible = 0;
        committed.values().forEach(this::enter);
        for (int node = 0; node < tree.size(); node++) {
            PastUse known = remembered.get(tree.name(node));
            if (known != null) {
                past.remember(node, known);
            }
        }
        held.values().forEach(commitment -> enterHeld(commitment, 1));
        demands.values().forEach(demand -> enter(demand, 1));
    }

    private void rememberPastUse() {
        for (int node = 0; node < tree.size(); node++) {
            past.around(node, standing.committed());
            PastUse use = past.of(node);
            if (use != null) {
                remembered.put(tree.name(node), use);
            }
        }
        remembered.keySet().retainAll(queues.keySet());
    }

    private Dimensions dimensions() {
        Collection<Dimension> all = new TreeSet<>();
        queues.values()
                .forEach(queue ->
                        queue.quotas().forEach(quota -> all.add(new Dimension(quota.nodeClass(), quota.resource()))));
        gpuOfClass.forEach((nodeClass, gpu) -> all.add(new Dimension(nodeClass, gpu)));
        return Dimensions.of(all);
    }

    private void enter(Commitment commitment) {
        int node = tree.indexOf(commitment.queue());
        if (node < 0) {
            return;
        }
        int slot = slots.computeIfAbsent(commitment.uid(), this::newSlot);
        Stake stake = stake(slot, node, commitment, commitment.since());
        stakes.put(commitment.uid(), stake);
        past.around(node, standing.committed());
        standing.commit(stake);
        past.around(node, standing.committed());
        order.chargeChanged(node);
        interruptible += stake.firm() ? 0 : 1;
    }

    private int newSlot(String uid) {
        Integer reused = freeSlots.poll();
        if (reused != null) {
            uidOfSlot.set(reused, uid);
            return reused;
        }
        uidOfSlot.add(uid);
        return uidOfSlot.size() - 1;
    }

    private void enterHeld(Commitment commitment, int sign) {
        int node = tree.indexOf(commitment.queue());
        if (node < 0) {
            return;
        }
        Charge charge = charge(commitment.charges().entrySet());
        enter(holding, node, charge, sign);
        if (commitment.firm()) {
            enter(firmHolding, node, charge, sign);
        }
    }

    private static void enter(Ledger ledger, int node, Charge charge, int sign) {
        if (sign > 0) {
            ledger.charge(node, charge);
        } else {
            ledger.uncharge(node, charge);
        }
    }

    private void enter(Demand demand, int sign) {
        int node = tree.indexOf(demand.queue);
        if (node < 0) {
            return;
        }
        Charge first = times(charge(demand.byClass.subList(0, 1)), demand.count);
        Charge every = times(charge(demand.byClass), demand.count);
        if (sign > 0) {
            standing.want(node, first, every);
        } else {
            standing.unwant(node, first, every);
        }
    }

    private Stake stake(int slot, int node, Commitment gang, long since) {
        Charge charge = charge(gang.charges().entrySet());
        return new Stake(slot, gang.uid(), node, charge, gang.firm(), gang.priority(), size(charge), since);
    }

    /** Sum over dimensions of charge / all that the roots have, in units of 2^-20. */
    private long size(Charge charge) {
        long size = 0;
        for (int i = 0; i < charge.size(); i++) {
            long all = 0;
            for (int node = 0; node < tree.size() && tree.parent(node) < 0; node++) {
                all += Math.min(tree.subtree(LedgerKind.NORMAL, node, charge.dim(i)), Amounts.LARGEST);
            }
            size += charge.amount(i) / Math.max(1, all >> 20);
        }
        return size;
    }

    /** A charge by node class over the dimensions of the tree; what no queue has quota of is left out. */
    public Charge charge(Collection<Map.Entry<String, Amounts>> byClass) {
        settle();
        long[] amounts = new long[tree.dimensions().size()];
        for (Map.Entry<String, Amounts> entry : byClass) {
            entry.getValue().byResource().forEach((resource, amount) -> {
                int dim = tree.dimensions().indexOf(entry.getKey(), resource);
                if (dim >= 0) {
                    amounts[dim] = Math.addExact(amounts[dim], amount);
                }
            });
        }
        return Charge.of(amounts);
    }

    private static Charge times(Charge charge, int factor) {
        long[] amounts = new long[charge.size() == 0 ? 0 : charge.dim(charge.size() - 1) + 1];
        for (int i = 0; i < charge.size(); i++) {
            long most = LARGEST_DEMAND / charge.amount(i);
            amounts[charge.dim(i)] = factor > most ? LARGEST_DEMAND : charge.amount(i) * factor;
        }
        return Charge.of(amounts);
    }
}

package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.Queue;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Dimensions;
import dev.muster.core.share.PastShares;
import dev.muster.core.share.PastUse;
import dev.muster.core.share.QueueOrder;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Refusal;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
    private final Charging charging;
    private final TreeMap<String, Queue> queues = new TreeMap<>();
    private final Map<String, String> gpuOfClass = new TreeMap<>();
    private Set<String> gpuResources = Set.of();
    private final Map<String, Commitment> committed = new LinkedHashMap<>();
    private final Map<String, Commitment> held = new LinkedHashMap<>();
    private final Demands demands = new Demands(this);
    private final Map<String, Stake> stakes = new HashMap<>();
    private final Slots slots = new Slots();
    private Headroom headroom = new Headroom(List.of(), Map.of());
    private int interruptible;
    private boolean changed = true;
    private QuotaTree tree = QuotaTree.of(List.of(), Dimensions.of(List.of()));
    private Standing standing = new Standing(tree);
    private HeldLedgers holding = new HeldLedgers(tree);
    private Share share = standing.share();
    private QueueOrder order = new QueueOrder(tree, standing.committed(), share);
    private long second;
    private final long halfLife;
    private PastShares past;

    /**
     * No queues yet.
     *
     * @param nodeSizes what a node of a class offers, to measure members by
     * @param halfLife by when half of past use is forgotten, in seconds, at least 64
     */
    public Quotas(Function<String, Amounts> nodeSizes, long halfLife) {
        charging = new Charging(queues, gpuOfClass, nodeSizes);
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
        gpuResources = Set.copyOf(gpuOfClass.values());
    }

    /** A class is gone. */
    public void removeClass(String nodeClass) {
        changed |= gpuOfClass.remove(nodeClass) != null;
        gpuResources = Set.copyOf(gpuOfClass.values());
    }

    /** One queue; null when there is none of that name. */
    public @Nullable Queue get(String name) {
        return queues.get(name);
    }

    /** What some node class names as its GPU. */
    public Set<String> gpuResources() {
        return gpuResources;
    }

    /** How a queue protects its gangs and stops them; the defaults when it is gone. */
    public Queue.Preemption preemption(String name) {
        Queue queue = queues.get(name);
        return queue == null ? Queue.Preemption.DEFAULT : queue.preemption();
    }

    /** What a queue is for; training when it is gone. */
    public Queue.Purpose purpose(String name) {
        Queue queue = queues.get(name);
        return queue == null ? Queue.Purpose.TRAINING : queue.purpose();
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
        return path(name).stream()
                .filter(queue -> queue.stop() != Queue.Stop.NONE)
                .findFirst()
                .orElse(null);
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

    /** What one member of a queue is charged in this class; see {@link Charging}. */
    public Amounts chargeable(String queue, String nodeClass, Amounts requests) {
        return charging.perMember(queue, nodeClass, requests);
    }

    /** What all members of a gang together are charged in this class. */
    public Amounts charge(Gang gang, String nodeClass) {
        return charging.of(gang, nodeClass);
    }

    // ---- time and past use

    /** Time goes on; in milliseconds since the epoch. */
    public void at(long now) {
        second = now / 1_000;
        settle();
        past.goTo(second, standing.committed());
    }

    /** What a queue has borrowed in the past, as it was stored. */
    public void remember(String queue, QueueMemory.Borrowed known) {
        past.remember(queue, known.use());
    }

    /** What a queue has borrowed in the past, up to now; null when it never did. */
    public QueueMemory.@Nullable Borrowed pastUse(String queue) {
        settle();
        PastUse use = past.known(queue, standing.committed());
        return use == null || use.history() + use.added() == 0 ? null : QueueMemory.Borrowed.of(use);
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
        Commitment old = commitment == null ? committed.remove(uid) : committed.put(uid, commitment);
        if (old != null) {
            headroom.enter(old, -1);
        }
        if (commitment == null) {
            slots.free(uid);
        } else {
            enter(commitment);
        }
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
     * @param byClass the charge of one of them in every class that it accepts, the first feasible one first; not to be
     *     changed afterwards
     */
    public void want(Object key, String queue, List<Map.Entry<String, Amounts>> byClass, int count) {
        settle();
        demands.want(key, queue, byClass, count);
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
        return tree.childCount(candidate.queue()) == 0
                ? standing.cover().coversInLeaf(standing.due(), candidate)
                : standing.cover().coversInQueue(standing.due(), candidate, standing.coveredAt());
    }

    /** Whether somebody is committed who could be preempted. */
    public boolean hasInterruptible() {
        return interruptible > 0;
    }

    /** The gang behind a stake of {@link #standing}. */
    public String uid(Stake stake) {
        return slots.uid(stake.slot());
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
        return node < 0 ? null : stake(Slots.CANDIDATE, node, gang, Stake.CANDIDATE);
    }

    /** Why quota keeps a candidate out for now; null when both ledgers let it in. */
    public @Nullable Refusal refusal(Stake candidate) {
        Refusal refusal = standing.refusal(candidate);
        return refusal != null ? refusal : heldRefusal(candidate);
    }

    /**
     * Why a queue surely has no quota for any of these amounts, and nobody can be stopped for it; null when it may have.
     *
     * @param least amounts by number of the dimension
     * @param firm whether they are of firm gangs
     */
    public @Nullable Shut shut(String queue, Map<Integer, Long> least, boolean firm) {
        settle();
        int node = tree.indexOf(queue);
        return interruptible > 0 || node < 0 ? null : holding.shut(standing, node, least, firm);
    }

    /** Whether a charge of a queue has quota now, or somebody might be stopped for it; fast. */
    public boolean mayLetIn(String queue, Charge charge, boolean firm) {
        settle();
        int node = tree.indexOf(queue);
        return interruptible > 0
                || node < 0
                || standing.admits(node, charge, firm) && holding.admits(node, charge, firm);
    }

    /** Why what is really held keeps a candidate out; null when it does not. */
    public @Nullable Refusal heldRefusal(Stake candidate) {
        return holding.refusal(candidate);
    }

    /** What serving queues keep free. */
    Headroom headroom() {
        settle();
        return headroom;
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
        Map<String, PastUse> remembered = past.known(standing.committed());
        tree = QuotaTree.of(queues.values(), Dimensions.of(queues.values(), gpuOfClass));
        standing = new Standing(tree);
        holding = new HeldLedgers(tree);
        headroom = new Headroom(queues.values(), gpuOfClass);
        share = standing.share();
        order = new QueueOrder(tree, standing.committed(), share);
        past = new PastShares(tree, share, order, halfLife, second);
        stakes.clear();
        interruptible = 0;
        committed.values().forEach(this::enter);
        remembered.forEach(past::remember);
        held.values().forEach(commitment -> enterHeld(commitment, 1));
        demands.enterAnew();
    }

    private void enter(Commitment commitment) {
        headroom.enter(commitment, 1);
        int node = tree.indexOf(commitment.queue());
        if (node < 0) {
            return;
        }
        int slot = slots.of(commitment.uid());
        Stake stake = stake(slot, node, commitment, commitment.since());
        stakes.put(commitment.uid(), stake);
        past.around(node, standing.committed());
        standing.commit(stake);
        past.around(node, standing.committed());
        order.chargeChanged(node);
        interruptible += stake.firm() ? 0 : 1;
    }

    private void enterHeld(Commitment commitment, int sign) {
        int node = tree.indexOf(commitment.queue());
        if (node < 0) {
            return;
        }
        holding.enter(node, charge(commitment.charges().entrySet()), commitment.firm(), sign);
    }

    private Stake stake(int slot, int node, Commitment gang, long since) {
        Charge charge = charge(gang.charges().entrySet());
        return new Stake(slot, gang.uid(), node, charge, gang.firm(), gang.priority(), tree.size(charge), since);
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
}

package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.Shut;
import dev.muster.core.decide.Verdict.Blocked;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.share.Charge;
import dev.muster.core.share.Ratios;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one queue.
 *
 * <p>Which goes first: higher base priority; then larger slowdown, (wait + b) / b with b the expected run time of the lane,
 * compared exactly; then the older first gang. Open lanes of equal priority and b are kept sorted, for among them slowdown
 * order is age; so a choice compares one head per b, of which there are few (half powers of two).
 */
final class Line {
    private final TreeMap<Tier, TreeSet<Lane>> open = new TreeMap<>();
    private final Set<Lane> all = new LinkedHashSet<>();
    /** Lanes that are parked and have to be looked at in this cycle. */
    private final ArrayList<Lane> due = new ArrayList<>();
    /** Of the lanes that ask one class and whose charge is known, the least in its first dimension, or less. */
    private final Map<Integer, Long> least = new HashMap<>();

    private final Map<Integer, Long> leastFirm = new HashMap<>();
    private int known;
    /** Why no gang has quota, of those that may be stopped and of firm ones; null when that has to be asked. */
    private @Nullable Shut shut;

    private @Nullable Shut shutForFirm;
    private final String queue;
    private final Set<String> withOpen;
    int gangs;

    /**
     * Without lanes.
     *
     * @param withOpen names of the queues that have an open lane, to be kept right for this one
     */
    Line(String queue, Set<String> withOpen) {
        this.queue = queue;
        this.withOpen = withOpen;
    }

    /** Lanes among which age alone decides. */
    private record Tier(int priority, long expected) implements Comparable<Tier> {
        @Override
        public int compareTo(Tier other) {
            int byPriority = Integer.compare(other.priority, priority);
            return byPriority != 0 ? byPriority : Long.compare(expected, other.expected);
        }
    }

    void add(Lane lane) {
        all.add(lane);
        lane.line = this;
    }

    void remove(Lane lane) {
        unlearn(lane);
        all.remove(lane);
        lane.line = null;
        lane.isDue = false;
    }

    Set<Lane> all() {
        return all;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Does nothing with a lane of which every gang holds a reservation. */
    void open(Lane lane) {
        if (!lane.hasHead()) {
            return;
        }
        lane.isDue = false;
        open.computeIfAbsent(tier(lane), tier -> new TreeSet<>()).add(lane);
        withOpen.add(queue);
    }

    /** Returns whether it was open. To be called before its first gang changes. */
    boolean close(Lane lane) {
        if (!lane.hasHead()) {
            return false;
        }
        TreeSet<Lane> tier = open.get(tier(lane));
        boolean was = tier != null && tier.remove(lane);
        if (tier != null && tier.isEmpty()) {
            open.remove(tier(lane));
            if (open.isEmpty()) {
                withOpen.remove(queue);
            }
        }
        return was;
    }

    /** What quota a lane takes in its turn is known from now on. */
    void learn(Lane lane, Charge charge, boolean oneClass) {
        if (oneClass && charge.size() > 0) {
            lane.isKnown = true;
            known++;
            forgetShut();
            (lane.key.interruptible() ? least : leastFirm).merge(charge.dim(0), charge.amount(0), Math::min);
        }
    }

    /** That is known no more. */
    void unlearn(Lane lane) {
        known -= lane.isKnown ? 1 : 0;
        lane.isKnown = false;
        forgetShut();
        if (known == 0) {
            least.clear();
            leastFirm.clear();
        }
    }

    private void forgetShut() {
        shut = null;
        shutForFirm = null;
    }

    /** Whether quota may let some gang in; never a wrong no. O(depth) while use has not fallen for this queue. */
    boolean mayBeLetIn(Quotas quotas) {
        return known < all.size() || quotas.hasInterruptible() || !(isShut(quotas) && isShutForFirm(quotas));
    }

    private boolean isShut(Quotas quotas) {
        if (!least.isEmpty() && (shut == null || !shut.holds())) {
            shut = quotas.shut(queue, least, false);
        }
        return least.isEmpty() || shut != null;
    }

    private boolean isShutForFirm(Quotas quotas) {
        if (!leastFirm.isEmpty() && (shutForFirm == null || !shutForFirm.holds())) {
            shutForFirm = quotas.shut(queue, leastFirm, true);
        }
        return leastFirm.isEmpty() || shutForFirm != null;
    }

    /** Lanes parked at one of these are to be looked at in turn, if they may start. Returns whether there are any. */
    boolean stir(Set<Blocker> blockers, Predicate<Lane> mayStart) {
        for (Lane lane : all) {
            Blocked at = lane.blocked;
            if (at != null && !lane.isDue && mayStart.test(lane) && !Collections.disjoint(blockers, at.blockers())) {
                lane.isDue = true;
                due.add(lane);
            }
        }
        return !due.isEmpty();
    }

    /** The lanes that were due and had no turn; none is due any more. */
    List<Lane> takeDue() {
        List<Lane> taken = new ArrayList<>();
        for (Lane lane : due) {
            if (lane.isDue) {
                lane.isDue = false;
                taken.add(lane);
            }
        }
        due.clear();
        return taken;
    }

    /** The lane whose first gang is next, of those that are open or due and may start; null when there is none. */
    @Nullable
    Lane next(long now, Predicate<Lane> mayStart) {
        Lane next = nextOpen(now);
        for (Lane lane : due) {
            boolean counts = lane.isDue && lane.blocked != null && lane.hasHead();
            if (counts
                    && (next == null || compare(lane, lane.head(), next, next.head(), now) < 0)
                    && mayStart.test(lane)) {
                next = lane;
            }
        }
        return next;
    }

    private @Nullable Lane nextOpen(long now) {
        Lane next = null;
        for (Map.Entry<Tier, TreeSet<Lane>> tier : open.entrySet()) {
            Lane head = tier.getValue().first();
            if (next != null && head.key.priority() != next.key.priority()) {
                return next;
            }
            next = next == null || compare(head, head.head(), next, next.head(), now) < 0 ? head : next;
        }
        return next;
    }

    /** The first gangs in the order of this line, of these namespaces, or of all when it is null. */
    List<GangEntry> inOrder(@Nullable Set<String> namespaces, int limit, long now) {
        record Cursor(Lane lane, int rank) {
            GangEntry entry() {
                return lane.gangs.get(rank);
            }
        }
        PriorityQueue<Cursor> heads = new PriorityQueue<>((one, other) -> one.lane == other.lane
                ? Integer.compare(one.rank, other.rank)
                : compare(one.lane, one.entry(), other.lane, other.entry(), now));
        for (Lane lane : all) {
            if (namespaces == null || namespaces.contains(lane.key.namespace())) {
                heads.add(new Cursor(lane, 0));
            }
        }
        List<GangEntry> line = new ArrayList<>();
        while (!heads.isEmpty() && line.size() < limit) {
            Cursor head = heads.remove();
            line.add(head.entry());
            if (head.rank + 1 < head.lane.gangs.size()) {
                heads.add(new Cursor(head.lane, head.rank + 1));
            }
        }
        return line;
    }

    /** How many gangs go before this one, which would wait, or waits, in a lane like {@code of}. */
    int countBefore(Lane.Key of, GangEntry entry, long now) {
        int before = 0;
        for (Lane lane : all) {
            before += lane.gangs.countWhile(other -> compare(lane.key, other, of, entry, now) < 0);
        }
        return before;
    }

    private static int compare(Lane one, GangEntry entry, Lane other, GangEntry otherEntry, long now) {
        return compare(one.key, entry, other.key, otherEntry, now);
    }

    /** Below 0 when the first goes first. wait/b is compared crosswise; both are below 2^50 ms, so 128-bit products do. */
    private static int compare(Lane.Key one, GangEntry entry, Lane.Key other, GangEntry otherEntry, long now) {
        if (one.priority() != other.priority()) {
            return Integer.compare(other.priority(), one.priority());
        }
        long wait = Math.max(0, now - entry.waitsSince);
        long otherWait = Math.max(0, now - otherEntry.waitsSince);
        int bySlowdown = Ratios.compare(otherWait, other.expected(), wait, one.expected());
        return bySlowdown != 0 ? bySlowdown : entry.compareTo(otherEntry);
    }

    private static Tier tier(Lane lane) {
        return new Tier(lane.key.priority(), lane.key.expected());
    }
}

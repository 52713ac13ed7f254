package dev.muster.engine;

import dev.muster.core.decide.Commitment;
import dev.muster.core.decide.Quotas;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Side;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.core.model.PodFacts.Phase;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what, and who will: enters every gang into quotas and nodes, once for what it really holds and once for what it
 * is committed to.
 *
 * <p>A gang that is stopping holds its charge and commits none, or the place to which it moves; a gang with a claim commits its claim and holds nothing;
 * every other commits what it holds. Each change works out one gang anew and applies the difference. Foreign pods book
 * their nodes on both sides and are charged to nobody.
 */
final class Ledger {
    private final Fleet fleet;
    private final Quotas quotas;
    private final Consumer<Holding> moved;
    private final Map<String, Holding> holdings = new HashMap<>();
    private final Map<String, PodFacts> pods = new HashMap<>();
    private Set<Holding> changed = new LinkedHashSet<>();
    private final VanishedPods vanished = new VanishedPods();
    private long version;
    private final Freed freed = new Freed(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());

    /**
     * Where something was given back, or taken that was to come free.
     *
     * @param queues names of queues that have given something back
     * @param nodeClasses names of classes in which something was given back
     * @param taken names of classes in which more is committed than before
     */
    record Freed(Set<String> queues, Set<String> nodeClasses, Set<String> taken) {
        boolean isNothing() {
            return queues.isEmpty() && nodeClasses.isEmpty();
        }
    }

    /**
     * An empty one.
     *
     * @param moved told of every holding that was worked out anew
     */
    Ledger(Fleet fleet, Quotas quotas, Consumer<Holding> moved) {
        this.fleet = fleet;
        this.quotas = quotas;
        this.moved = moved;
    }

    /**
     * The gang holds its admission's places and charges from now on.
     *
     * @param movesTo what it keeps for itself while it is stopping; null for nothing
     */
    void admit(
            Gang gang,
            Admission admission,
            Map<String, Integer> remaining,
            boolean stopping,
            @Nullable Admission movesTo) {
        Holding holding = holdings.computeIfAbsent(gang.uid(), Holding::new);
        if (holding.admit(gang, admission, remaining, stopping, stopping ? movesTo : null)) {
            changed.add(holding);
        }
    }

    /** The gang keeps its claim's places and charges from now on, and holds no more than its live pods. */
    void claim(Gang gang, Claim claim) {
        Holding holding = holdings.computeIfAbsent(gang.uid(), Holding::new);
        if (holding.claim(gang, claim.place())) {
            changed.add(holding);
        }
    }

    /** The gang holds no more than its live pods, and keeps nothing, from now on. */
    void dismiss(String uid) {
        Holding holding = holdings.get(uid);
        if (holding != null && holding.dismiss()) {
            changed.add(holding);
        }
    }

    /** A pod was created or changed. */
    void put(PodFacts pod) {
        PodFacts before = pods.put(pod.uid(), pod);
        if (pod.equals(before)) {
            return;
        }
        String holder = holder(pod);
        if (before != null && !holder(before).equals(holder)) {
            drop(before);
        }
        Holding holding = holdings.computeIfAbsent(holder, Holding::new);
        holding.pods.put(pod.uid(), pod);
        changed.add(holding);
    }

    /**
     * A pod's object is gone. One whose end was not seen keeps its node for its grace, for its processes may still run.
     * Returns the gang it belonged to; empty for none.
     */
    String removePod(String uid) {
        PodFacts pod = pods.get(uid);
        if (pod == null) {
            return "";
        }
        if (pod.holdsNode() && fleet.knows(pod.node()) && pod.phase() != Phase.VANISHED && pod.grace() > 0) {
            vanished.add(pod);
            put(pod.in(Phase.VANISHED));
        } else {
            pods.remove(uid);
            drop(pod);
        }
        return pod.membership() == null ? "" : holder(pod);
    }

    /** Lets go of vanished pods whose grace has passed. Returns the gangs that they belonged to. */
    Set<String> endGraces(long now) {
        return removeVanished(vanished.due(now));
    }

    /** A node is gone, and with it whatever had vanished there. Returns the gangs of those pods. */
    Set<String> nodeGone(String node) {
        return removeVanished(vanished.on(node));
    }

    private Set<String> removeVanished(List<String> uids) {
        Set<String> touched = new TreeSet<>();
        for (String uid : uids) {
            PodFacts pod = pods.get(uid);
            if (pod != null && pod.phase() == Phase.VANISHED) {
                touched.add(removePod(uid));
            }
        }
        return touched;
    }

    /** When the next grace of a vanished pod passes; {@link Long#MAX_VALUE} when there is none. */
    long graceEnds() {
        return vanished.nextDue();
    }

    /** The gang's pods, ended ones included, by UID. */
    Map<String, PodFacts> pods(String gangUid) {
        Holding holding = holdings.get(gangUid);
        return holding == null ? Map.of() : holding.pods;
    }

    /** Gangs that hold something on one of these nodes; looks at all that hold something, unless there are no nodes. */
    Set<String> on(Set<String> nodes) {
        Set<String> on = new TreeSet<>();
        if (!nodes.isEmpty()) {
            holdings.forEach((uid, holding) -> {
                if (holding.isOn(nodes)) {
                    on.add(uid);
                }
            });
        }
        return on;
    }

    /** UIDs of all who hold or are committed to something. */
    Set<String> placed() {
        return holdings.keySet();
    }

    /** A number that rises with every change that was applied. */
    long version() {
        return version;
    }

    /** What the gang has booked on the committed side, by node. */
    Map<String, Amounts> committedBookings(String uid) {
        Holding holding = holdings.get(uid);
        return holding == null ? Map.of() : holding.bookedLater;
    }

    /** Applies what has changed for one gang now, so that whoever is decided next sees it; it counts as settled with the rest. */
    void apply(String uid) {
        Holding holding = holdings.get(uid);
        if (holding != null && changed.remove(holding)) {
            work(holding);
        }
    }

    /** The nodes on which the gang really has something booked. */
    Set<String> heldNodes(String uid) {
        Holding holding = holdings.get(uid);
        return holding == null ? Set.of() : holding.bookedNow.keySet();
    }

    /** Applies all that changed, and returns what was freed by it since the last call. */
    Freed settle() {
        if (!changed.isEmpty()) {
            Set<Holding> due = changed;
            changed = new LinkedHashSet<>();
            due.forEach(this::work);
        }
        Freed result = new Freed(Set.copyOf(freed.queues), Set.copyOf(freed.nodeClasses), Set.copyOf(freed.taken));
        freed.taken.clear();
        freed.queues.clear();
        freed.nodeClasses.clear();
        return result;
    }

    private static String holder(PodFacts pod) {
        Membership membership = pod.membership();
        return membership == null ? "pod " + pod.uid() : membership.gangUid();
    }

    private void drop(PodFacts pod) {
        Holding holding = holdings.get(holder(pod));
        if (holding != null) {
            holding.pods.remove(pod.uid());
            changed.add(holding);
        }
    }

    private void work(Holding holding) {
        version++;
        Map<String, Amounts> booksNow = holding.heldBookings();
        Map<String, Amounts> booksLater = holding.committedBookings(booksNow);
        holding.bookedNow = book(Side.HELD, holding.bookedNow, booksNow);
        holding.bookedLater = book(Side.COMMITTED, holding.bookedLater, booksLater);
        Commitment holds = holding.holds(quotas, fleet);
        Commitment commits = holding.commits(holds);
        if (differ(holds, holding.entered)) {
            freeQueue(holding.entered);
            quotas.hold(holding.uid, holds);
            holding.entered = holds;
        }
        if (differ(commits, holding.enteredLater)) {
            freeQueue(holding.enteredLater);
            quotas.commit(holding.uid, commits);
            holding.enteredLater = commits;
        }
        moved.accept(holding);
        if (holding.isEmpty()) {
            holdings.remove(holding.uid);
        }
    }

    private Map<String, Amounts> book(Side side, Map<String, Amounts> before, Map<String, Amounts> after) {
        before.forEach((node, amount) -> {
            if (!amount.equals(after.get(node))) {
                fleet.book(side, node, fleet.resources().vector(amount), -1).ifPresent(freed.nodeClasses::add);
            }
        });
        after.forEach((node, amount) -> {
            if (!amount.equals(before.get(node))) {
                Optional<String> nodeClass =
                        fleet.book(side, node, fleet.resources().vector(amount), 1);
                nodeClass.filter(name -> side == Side.COMMITTED).ifPresent(freed.taken::add);
            }
        });
        return after.isEmpty() ? Map.of() : new TreeMap<>(after);
    }

    private void freeQueue(@Nullable Commitment before) {
        if (before != null) {
            freed.queues.add(before.queue());
        }
    }

    private static boolean differ(@Nullable Commitment one, @Nullable Commitment other) {
        return one == null ? other != null : !one.equals(other);
    }
}

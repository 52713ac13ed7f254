package dev.muster.engine;

import dev.muster.core.decide.Commitment;
import dev.muster.core.decide.Quotas;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.core.model.PodFacts.Phase;
import dev.muster.core.model.PodSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one gang, or one foreign pod, holds and is committed to.
 *
 * <p>With an admission it is charged for the members that can still run, never for fewer than live, and books a place for
 * each: the node that its pod is really on, else a planned slot that no pod has taken. Without one (its job ended, or is
 * gone) it is charged for its live pods only, at the queue and class with which they were stamped. A vanished pod keeps its
 * node booked: by the open slot there, when its replacement is still to come, else by itself.
 */
final class Holding {
    final String uid;
    final Map<String, PodFacts> pods = new TreeMap<>();
    Map<String, Amounts> bookedNow = Map.of();
    Map<String, Amounts> bookedLater = Map.of();

    @Nullable
    Commitment entered;

    @Nullable
    Commitment enteredLater;

    private @Nullable Gang gang;
    private @Nullable Admission admission;
    private @Nullable Admission claimed;
    private Map<String, Integer> remaining = Map.of();
    private boolean stopping;

    Holding(String uid) {
        this.uid = uid;
    }

    /** Returns whether anything changed. */
    boolean admit(
            Gang of, Admission with, Map<String, Integer> canRun, boolean isStopping, @Nullable Admission movesTo) {
        boolean same = with.equals(admission)
                && Objects.equals(movesTo, claimed)
                && canRun.equals(remaining)
                && isStopping == stopping
                && of.equals(gang);
        gang = of;
        admission = with;
        claimed = movesTo;
        remaining = canRun;
        stopping = isStopping;
        return !same;
    }

    /** Returns whether anything changed. */
    boolean claim(Gang of, Admission place) {
        boolean same = place.equals(claimed) && admission == null && of.equals(gang);
        gang = of;
        admission = null;
        claimed = place;
        stopping = false;
        return !same;
    }

    /** Returns whether anything changed. */
    boolean dismiss() {
        boolean changes = admission != null || claimed != null;
        admission = null;
        claimed = null;
        stopping = false;
        return changes;
    }

    /** The gang that has a place, or has claimed one; null when it is gone, ended, or a foreign pod. */
    @Nullable
    Gang placed() {
        return place() == null ? null : gang;
    }

    /** Its place, real or claimed; null when it has none. */
    @Nullable
    Admission place() {
        return claimed != null ? claimed : admission;
    }

    /** Whether the place is only claimed: it has none yet, or moves there. */
    boolean isClaim() {
        return claimed != null;
    }

    /** Whether it is giving the place up that it has. */
    boolean isStopping() {
        return stopping;
    }

    /** Whether it books something on one of these nodes. */
    boolean isOn(Set<String> nodes) {
        return bookedNow.keySet().stream().anyMatch(nodes::contains)
                || bookedLater.keySet().stream().anyMatch(nodes::contains);
    }

    boolean isEmpty() {
        return admission == null && claimed == null && pods.isEmpty();
    }

    /** What it really books, by node. */
    Map<String, Amounts> heldBookings() {
        Map<String, Amounts> books = new TreeMap<>();
        Map<String, Integer> openSlots = new HashMap<>();
        for (PodFacts pod : pods.values()) {
            if (pod.node() != null && isLive(pod)) {
                books.merge(pod.node(), taken(pod), Amounts::plus);
            }
        }
        if (admission != null) {
            admission.podsets().forEach(place -> bookOpenSlots(place, books, openSlots));
        }
        for (PodFacts pod : pods.values()) {
            if (pod.node() != null
                    && pod.phase() == Phase.VANISHED
                    && openSlots.merge(pod.node(), -1, Integer::sum) < 0) {
                books.merge(pod.node(), pod.requests(), Amounts::plus);
            }
        }
        return books;
    }

    /** What it will book, by node, given what it books now. */
    Map<String, Amounts> committedBookings(Map<String, Amounts> now) {
        Admission place = claimed;
        if (place == null) {
            return stopping ? Map.of() : now;
        }
        Map<String, Amounts> books = new TreeMap<>();
        for (PodSetPlace podset : place.podsets()) {
            Amounts request = request(podset);
            podset.nodes().forEach(slots -> books.merge(slots.node(), request.times(slots.members()), Amounts::plus));
        }
        return books;
    }

    /** What it is really charged; null when nothing. */
    @Nullable
    Commitment holds(Quotas quotas, Fleet fleet) {
        Map<String, Amounts> charges = new TreeMap<>();
        Admission with = admission;
        if (with == null) {
            return chargedByPods(quotas, fleet);
        }
        for (PodSetPlace place : with.podsets()) {
            int members = Math.max(needed(place), live(place));
            charges.merge(place.nodeClass(), place.perMember().times(members), Amounts::plus);
        }
        return commitment(charges, with.admittedAt());
    }

    /** What it will be charged, given what it is charged now; null when nothing. */
    @Nullable
    Commitment commits(@Nullable Commitment now) {
        Admission place = claimed;
        if (place == null) {
            return stopping ? null : now;
        }
        Map<String, Amounts> charges = new TreeMap<>();
        place.podsets().forEach(podset -> charges.merge(podset.nodeClass(), podset.charge(), Amounts::plus));
        return commitment(charges, place.admittedAt());
    }

    private @Nullable Commitment commitment(Map<String, Amounts> charges, long since) {
        Gang of = gang;
        return of == null || charges.isEmpty()
                ? null
                : new Commitment(uid, of.queue(), charges, !of.interruptible(), of.priority(), since);
    }

    /** A pod that got past its gate without a place has no stamp of a class: the one of its node is charged. */
    private @Nullable Commitment chargedByPods(Quotas quotas, Fleet fleet) {
        Map<String, Amounts> charges = new TreeMap<>();
        String queue = "";
        for (PodFacts pod : pods.values()) {
            Membership of = pod.membership();
            if (of == null || !pod.holdsNode() || of.queue().isEmpty()) {
                continue;
            }
            String nodeClass = of.nodeClass().isEmpty() ? fleet.classOf(pod.node()) : of.nodeClass();
            if (!nodeClass.isEmpty()) {
                queue = of.queue();
                charges.merge(nodeClass, quotas.chargeable(queue, nodeClass, pod.requests()), Amounts::plus);
            }
        }
        Gang of = gang;
        boolean firm = of == null || !of.interruptible();
        return charges.isEmpty() ? null : new Commitment(uid, queue, charges, firm, of == null ? 0 : of.priority(), 0);
    }

    /** Books a planned slot for each member that can still run and has no node yet. */
    private void bookOpenSlots(PodSetPlace place, Map<String, Amounts> books, Map<String, Integer> openSlots) {
        int open = needed(place) - staying(place);
        Map<String, Integer> taken = new HashMap<>();
        Map<String, Integer> ended = new HashMap<>();
        for (PodFacts pod : pods.values()) {
            if (isOf(pod, place) && pod.node() != null) {
                (isLive(pod) ? taken : ended).merge(pod.node(), 1, Integer::sum);
            }
        }
        Map<String, Integer> before = Map.copyOf(taken);
        open -= book(place, open, taken, ended, books);
        book(place, open, taken, Map.of(), books);
        taken.forEach((node, members) -> openSlots.merge(node, members - before.getOrDefault(node, 0), Integer::sum));
    }

    /** Books slots that neither a live pod nor an ended one has used, in rank order; returns how many. */
    private int book(
            PodSetPlace place,
            int open,
            Map<String, Integer> taken,
            Map<String, Integer> ended,
            Map<String, Amounts> books) {
        int booked = 0;
        for (NodeSlots slots : place.nodes()) {
            int used = taken.getOrDefault(slots.node(), 0) + ended.getOrDefault(slots.node(), 0);
            int here = Math.min(open - booked, Math.max(0, slots.members() - used));
            if (here > 0) {
                books.merge(slots.node(), request(place).times(here), Amounts::plus);
                taken.merge(slots.node(), here, Integer::sum);
                booked += here;
            }
        }
        return booked;
    }

    private Amounts request(PodSetPlace place) {
        Gang of = gang;
        if (of != null) {
            for (PodSet podset : of.podsets()) {
                if (podset.name().equals(place.podset())) {
                    return podset.shape().requests();
                }
            }
        }
        return place.perMember();
    }

    private int needed(PodSetPlace place) {
        return Math.min(place.count(), remaining.getOrDefault(place.podset(), place.count()));
    }

    private int live(PodSetPlace place) {
        int live = 0;
        for (PodFacts pod : pods.values()) {
            live += isOf(pod, place) && isLive(pod) ? 1 : 0;
        }
        return live;
    }

    /** Live members, without those that stop on nodes which are not in the place: theirs are replaced elsewhere. */
    private int staying(PodSetPlace place) {
        int staying = live(place);
        for (PodFacts pod : pods.values()) {
            boolean leaves = isOf(pod, place)
                    && pod.phase() == Phase.STOPPING
                    && place.nodes().stream().noneMatch(slots -> slots.node().equals(pod.node()));
            staying -= leaves && isLive(pod) ? 1 : 0;
        }
        return staying;
    }

    private static boolean isLive(PodFacts pod) {
        return pod.holdsNode() && pod.phase() != Phase.VANISHED;
    }

    /** What a live member takes: never less than it was admitted with, whatever can be read of its devices by now. */
    private Amounts taken(PodFacts pod) {
        Amounts taken = pod.requests();
        for (PodSetPlace place : admission == null ? List.<PodSetPlace>of() : admission.podsets()) {
            taken = isOf(pod, place) ? taken.max(request(place)) : taken;
        }
        return taken;
    }

    private static boolean isOf(PodFacts pod, PodSetPlace place) {
        return pod.membership() != null && pod.membership().podset().equals(place.podset());
    }
}

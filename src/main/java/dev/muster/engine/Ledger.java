package dev.muster.engine;

import dev.muster.core.decide.QuotaBook;
import dev.muster.core.decide.Verdict.Blocker;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodFacts.Membership;
import dev.muster.core.model.PodSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what: charges on quotas and bookings on nodes, worked out from admissions and pods.
 *
 * <p>A gang with an admission is charged for the members that can still run, never for fewer than live, and books a place
 * for each: the node that its pod is really on, else a planned slot that no pod has taken. A gang without one (its job
 * ended, or is gone) is charged for its live pods only. Foreign pods book the nodes they are on. Each change works out
 * one gang anew and applies the difference.
 */
final class Ledger {
    private final Fleet fleet;
    private final QuotaBook quotas;
    private final Map<String, Holding> holdings = new HashMap<>();
    private final Map<String, PodFacts> pods = new HashMap<>();
    private final Set<Holding> changed = new LinkedHashSet<>();
    private final Set<Blocker> freed = new LinkedHashSet<>();

    /** What one gang, or one foreign pod, holds. */
    private static final class Holding {
        final String uid;
        final Map<String, PodFacts> pods = new TreeMap<>();
        String queue = "";

        @Nullable
        Admission admission;

        Map<String, Amounts> requests = Map.of();
        Map<String, Integer> remaining = Map.of();
        Map<String, Amounts> booked = Map.of();
        Map<Charge, Amounts> charged = Map.of();

        Holding(String uid) {
            this.uid = uid;
        }
    }

    private record Charge(String queue, String nodeClass) {}

    Ledger(Fleet fleet, QuotaBook quotas) {
        this.fleet = fleet;
        this.quotas = quotas;
    }

    /** The gang holds its admission's places and charges from now on. */
    void admit(String uid, String queue, Gang gang, Admission admission, Map<String, Integer> remaining) {
        Holding holding = holdings.computeIfAbsent(uid, Holding::new);
        Map<String, Amounts> requests = new HashMap<>();
        for (PodSet podset : gang.podsets()) {
            requests.put(podset.name(), podset.shape().requests());
        }
        if (admission.equals(holding.admission)
                && remaining.equals(holding.remaining)
                && requests.equals(holding.requests)
                && queue.equals(holding.queue)) {
            return;
        }
        holding.queue = queue;
        holding.admission = admission;
        holding.requests = requests;
        holding.remaining = remaining;
        changed.add(holding);
    }

    /** The gang holds no more than its live pods from now on. */
    void dismiss(String uid) {
        Holding holding = holdings.get(uid);
        if (holding != null && holding.admission != null) {
            holding.admission = null;
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

    /** A pod is gone. Returns the gang it belonged to; empty for none. */
    String removePod(String uid) {
        PodFacts pod = pods.remove(uid);
        if (pod == null) {
            return "";
        }
        drop(pod);
        return pod.membership() == null ? "" : holder(pod);
    }

    /** The gang's pods, ended ones included, by UID. */
    Map<String, PodFacts> pods(String gangUid) {
        Holding holding = holdings.get(gangUid);
        return holding == null ? Map.of() : holding.pods;
    }

    /** Applies all that changed, and returns what was freed by it since the last call. */
    Set<Blocker> settle() {
        changed.forEach(this::work);
        changed.clear();
        Set<Blocker> result = Set.copyOf(freed);
        freed.clear();
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
        Map<String, Amounts> books = new TreeMap<>();
        Map<Charge, Amounts> charges = new HashMap<>();
        for (PodFacts pod : holding.pods.values()) {
            if (pod.node() != null && pod.holdsNode()) {
                books.merge(pod.node(), pod.requests(), Amounts::plus);
            }
        }
        Admission admission = holding.admission;
        if (admission == null) {
            chargePods(holding, charges);
        } else {
            for (PodSetPlace place : admission.podsets()) {
                charge(holding, place, charges);
                bookOpenSlots(holding, place, books);
            }
        }
        apply(holding, books, charges);
        if (admission == null && holding.pods.isEmpty()) {
            holdings.remove(holding.uid);
        }
    }

    /** Without an admission: each live pod at the queue and class that it was stamped with. */
    private void chargePods(Holding holding, Map<Charge, Amounts> charges) {
        for (PodFacts pod : holding.pods.values()) {
            Membership of = pod.membership();
            if (of == null || !pod.holdsNode() || of.nodeClass().isEmpty()) {
                continue;
            }
            String gpu = fleet.nodeClass(of.nodeClass()).map(c -> c.resource()).orElse("");
            charges.merge(
                    new Charge(of.queue(), of.nodeClass()),
                    quotas.chargeable(of.queue(), of.nodeClass(), gpu, pod.requests()),
                    Amounts::plus);
        }
    }

    private static void charge(Holding holding, PodSetPlace place, Map<Charge, Amounts> charges) {
        int members = Math.max(needed(holding, place), live(holding, place));
        charges.merge(
                new Charge(holding.queue, place.nodeClass()), place.perMember().times(members), Amounts::plus);
    }

    /** Books a planned slot for each member that can still run and has no node yet. */
    private static void bookOpenSlots(Holding holding, PodSetPlace place, Map<String, Amounts> books) {
        int open = needed(holding, place) - live(holding, place);
        Amounts request = holding.requests.getOrDefault(place.podset(), place.perMember());
        Map<String, Integer> taken = new HashMap<>();
        Map<String, Integer> ended = new HashMap<>();
        for (PodFacts pod : holding.pods.values()) {
            if (isOf(pod, place) && pod.node() != null) {
                (pod.holdsNode() ? taken : ended).merge(pod.node(), 1, Integer::sum);
            }
        }
        open -= book(place, request, open, taken, ended, books);
        book(place, request, open, taken, Map.of(), books);
    }

    /** Books slots that neither a live pod nor an ended one has used, in rank order; returns how many. */
    private static int book(
            PodSetPlace place,
            Amounts request,
            int open,
            Map<String, Integer> taken,
            Map<String, Integer> ended,
            Map<String, Amounts> books) {
        int booked = 0;
        for (NodeSlots slots : place.nodes()) {
            int used = taken.getOrDefault(slots.node(), 0) + ended.getOrDefault(slots.node(), 0);
            int here = Math.min(open - booked, Math.max(0, slots.members() - used));
            if (here > 0) {
                books.merge(slots.node(), request.times(here), Amounts::plus);
                taken.merge(slots.node(), here, Integer::sum);
                booked += here;
            }
        }
        return booked;
    }

    private static int needed(Holding holding, PodSetPlace place) {
        return Math.min(place.count(), holding.remaining.getOrDefault(place.podset(), place.count()));
    }

    private static int live(Holding holding, PodSetPlace place) {
        return (int) holding.pods.values().stream()
                .filter(pod -> isOf(pod, place) && pod.holdsNode())
                .count();
    }

    private static boolean isOf(PodFacts pod, PodSetPlace place) {
        return pod.membership() != null && pod.membership().podset().equals(place.podset());
    }

    private void apply(Holding holding, Map<String, Amounts> books, Map<Charge, Amounts> charges) {
        Map<String, Amounts> oldBooks = holding.booked;
        oldBooks.forEach((node, amount) -> {
            if (!amount.equals(books.get(node))) {
                fleet.book(node, fleet.resources().vector(amount), -1)
                        .ifPresent(nodeClass -> freed.add(new Blocker.OfClass(nodeClass)));
            }
        });
        books.forEach((node, amount) -> {
            if (!amount.equals(oldBooks.get(node))) {
                fleet.book(node, fleet.resources().vector(amount), 1);
            }
        });
        holding.charged.forEach((at, amount) -> {
            if (!amount.equals(charges.get(at))) {
                quotas.charge(at.queue, at.nodeClass, amount, -1);
                freed.add(new Blocker.OfQueue(at.queue));
            }
        });
        charges.forEach((at, amount) -> {
            if (!amount.equals(holding.charged.get(at))) {
                quotas.charge(at.queue, at.nodeClass, amount, 1);
            }
        });
        holding.booked = books;
        holding.charged = charges;
    }
}

package dev.muster.core.decide;

import dev.muster.core.decide.Verdict.Fits;
import dev.muster.core.decide.Verdict.Preempts;
import dev.muster.core.fleet.Finding;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Placer;
import dev.muster.core.fleet.Side;
import dev.muster.core.fleet.View;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.PodSet;
import dev.muster.core.share.Stake;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a place for a gang that has quota, by moving interruptible gangs that get new places at once.
 *
 * <p>Steps: (1) with all that may move taken out, does the gang find a place? If not, nothing helps. (2) Leave all in their
 * places that need not move, the costliest first; a run of gangs that can all stay is found by halving. (3) Book the gang's
 * place, then find a new place for each that moves, free already, the largest first. (4) Who finds none stays: from step 1 without it, a
 * few times. Nobody loses quota, so nobody's standing changes, and each plan lets one gang more run; the protection of who
 * was moved grows like that of who was evicted. Not complete: another set of gangs might have moved where this gives up.
 */
final class Relocation {
    /** Most gangs that move in one plan: each is stopped and started again, and noted on the claim. */
    private static final int MOST_MOVED = 8;
    /** How many gangs may turn out to have no other place before the search gives up. */
    private static final int MOST_TRIES = 3;
    /** Most nodes in the new places of one plan together, since all are noted on one object. */
    private static final int MOST_NODES = 1_000;
    /** How long nobody searches again for gangs alike after a search that found nothing, at most; in milliseconds. */
    private static final long LONGEST_REST = 300_000;
    /** The rest for each gang that was looked at, since they are what a search costs; in milliseconds. */
    private static final long REST_FOR_EACH = 1_000;
    /** More than any node has of anything. */
    private static final long EVERYTHING = 1L << 50;
    /** How many refusals are kept in mind. */
    private static final int MOST_REFUSED = 1_000;

    private final Quotas quotas;
    private final Fleet fleet;
    private final Committed committed;
    private final Reserved reserved;
    private final Sentences sentences;
    /** For whom nothing was found, and when to search again, in milliseconds since the epoch. */
    private final Map<Asked, Long> refused = new HashMap<>();

    private record Asked(List<PodSet> podsets, boolean interruptible, String nodeClass) {}

    Relocation(Quotas quotas, Fleet fleet, Committed committed, Reserved reserved, Sentences sentences) {
        this.quotas = quotas;
        this.fleet = fleet;
        this.committed = committed;
        this.reserved = reserved;
        this.sentences = sentences;
    }

    /** Who moves where; null when the gang has no quota, or no such set is found. */
    @Nullable
    Verdict attempt(Gang gang, NodeClass nodeClass, Stake candidate, long now) {
        long gpus = quotas.charge(gang, nodeClass.name()).get(nodeClass.resource());
        if (gpus > fleet.freeGpus(nodeClass.name(), View.LATER)
                || !quotas.standing().admits(candidate)
                || !reserved.leavesQuota(gang, nodeClass.name(), candidate, reserved.toItsBound(gang))) {
            return null;
        }
        Asked asked = new Asked(gang.podsets(), gang.interruptible(), nodeClass.name());
        if (now < refused.getOrDefault(asked, 0L)) {
            return null;
        }
        Stake[] movable = movable(gang, nodeClass, now);
        Verdict found = search(gang, nodeClass, movable);
        if (refused.size() >= MOST_REFUSED) {
            refused.clear();
        }
        if (found == null) {
            refused.put(asked, now + Math.min(LONGEST_REST, REST_FOR_EACH * (1 + movable.length)));
        }
        return found;
    }

    /** When it is searched again for a gang for which nobody could be moved; {@link Long#MAX_VALUE} when that is not due. */
    long retryAt(Gang gang, NodeClass nodeClass, long now) {
        if (refused.isEmpty()) {
            return Long.MAX_VALUE; // asked for each gang that is blocked, and mostly for nothing
        }
        long at = refused.getOrDefault(new Asked(gang.podsets(), gang.interruptible(), nodeClass.name()), 0L);
        return at > now ? at : Long.MAX_VALUE;
    }

    private @Nullable Verdict search(Gang gang, NodeClass nodeClass, Stake[] movable) {
        try (Trial trial = new Trial(gang, nodeClass.name(), movable)) {
            for (int tries = 0; tries < MOST_TRIES && trial.least() && !trial.isTooLarge(); tries++) {
                Preempts found = trial.plan();
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Those that may move, the costliest first. */
    private Stake[] movable(Gang gang, NodeClass nodeClass, long now) {
        record Priced(Stake stake, long cost) {}
        List<Priced> priced = new ArrayList<>();
        for (int queue = 0; queue < quotas.tree().size(); queue++) {
            for (Stake stake : quotas.standing().cover().gangs(queue)) {
                String uid = quotas.uid(stake);
                if (!stake.firm()
                        && !uid.equals(gang.uid())
                        && committed.isMovable(uid, nodeClass.name())
                        && committed.mayStop(uid, now)) {
                    priced.add(new Priced(stake, committed.cost(uid, now)));
                }
            }
        }
        priced.sort(Comparator.comparingLong(Priced::cost)
                .reversed()
                .thenComparing(one -> one.stake.uid(), Comparator.reverseOrder()));
        return priced.stream().map(Priced::stake).toArray(Stake[]::new);
    }

    /** One search; everything that it books is taken back when it is closed. */
    private final class Trial implements AutoCloseable {
        private final Gang gang;
        private final String nodeClass;
        private final Stake[] movable;
        private final boolean[] stays;
        private final boolean[] out;
        private final PlaceWithout place;
        /** Nodes that are reserved for others: nobody comes there, for whom a gang that moves may have left them. */
        private final Map<String, long[]> kept = new HashMap<>();
        /** How many have been found to have to move. */
        private int needed;

        Trial(Gang gang, String nodeClass, Stake[] movable) {
            this.gang = gang;
            this.nodeClass = nodeClass;
            this.movable = movable;
            stays = new boolean[movable.length];
            out = new boolean[movable.length];
            long[] everything = new long[fleet.resources().size()];
            Arrays.fill(everything, EVERYTHING);
            reserved.nodes(gang, nodeClass).forEach(node -> kept.put(node, everything));
            place = new PlaceWithout(fleet, quotas, committed, gang, nodeClass, gone -> kept);
        }

        /** Steps 1 and 2; whether any set gives the gang a place. */
        boolean least() {
            for (int i = 0; i < movable.length; i++) {
                out[i] = !stays[i];
            }
            if (movable.length == 0 || !place.fits(movable, out)) {
                return false;
            }
            needed = 0;
            leave(0, movable.length);
            return true;
        }

        private void leave(int from, int to) {
            boolean[] before = Arrays.copyOfRange(out, from, to);
            Arrays.fill(out, from, to, false);
            if (needed > MOST_MOVED || place.fits(movable, out)) {
                return;
            }
            System.arraycopy(before, 0, out, from, before.length);
            needed += to - from == 1 ? 1 : 0;
            if (to - from > 1) {
                int middle = (from + to) >>> 1;
                leave(from, middle);
                leave(middle, to);
            }
        }

        private List<Integer> moved() {
            List<Integer> moved = new ArrayList<>();
            for (int i = 0; i < out.length; i++) {
                if (out[i]) {
                    moved.add(i);
                }
            }
            return moved;
        }

        boolean isTooLarge() {
            return needed > MOST_MOVED;
        }

        /** Step 3; null when somebody has no other place, who stays from then on. */
        @Nullable
        Preempts plan() {
            if (!(place.find(movable, out) instanceof Finding.Place found)) {
                return null;
            }
            Fits claim = Fits.of(quotas, gang, nodeClass, found.podsets(), List.of());
            Map<String, Fits> moves = new HashMap<>();
            try (Bookings bookings = new Bookings()) {
                bookings.add(gang, claim);
                for (int i : largestFirst(moved())) {
                    if (!moves(i, moves, bookings)) {
                        stays[i] = true;
                        return null;
                    }
                }
            }
            return preempts(claim, moves);
        }

        private List<Integer> largestFirst(List<Integer> gangs) {
            gangs.sort(
                    Comparator.comparingLong((Integer i) -> -movable[i].size()).thenComparing(i -> movable[i].uid()));
            return gangs;
        }

        /** Finds and books a new place for one that is out; whether there is one. */
        private boolean moves(int one, Map<String, Fits> moves, Bookings bookings) {
            String uid = quotas.uid(movable[one]);
            Gang of = committed.gang(uid);
            Fits to = newPlace(of);
            if (to == null) {
                return false;
            }
            bookings.add(of, to);
            moves.put(uid, to);
            return true;
        }

        private @Nullable Preempts preempts(Fits claim, Map<String, Fits> moves) {
            int nodes = moves.values().stream()
                    .flatMap(to -> to.podsets().stream())
                    .mapToInt(podset -> podset.nodes().size())
                    .sum();
            if (nodes > MOST_NODES) {
                return null;
            }
            List<String> victims = moves.keySet().stream().sorted().toList();
            List<String> titles = victims.stream().map(committed::title).toList();
            return new Preempts(claim, victims, moves, sentences.waitingForMoves(nodeClass, titles));
        }

        private @Nullable Fits newPlace(Gang of) {
            return Placer.find(fleet, View.NOW, nodeClass, of.podsets(), of.interruptible(), kept)
                            instanceof Finding.Place found
                    ? Fits.of(quotas, of, nodeClass, found.podsets(), List.of())
                    : null;
        }

        @Override
        public void close() {
            place.close();
        }
    }

    /** Places booked on the committed side until closed. */
    private final class Bookings implements AutoCloseable {
        private final List<Map.Entry<String, long[]>> booked = new ArrayList<>();

        void add(Gang gang, Fits fits) {
            fleet.resources().vectors(fits.requests(gang)).forEach((node, amount) -> {
                fleet.book(Side.COMMITTED, node, amount, 1);
                booked.add(Map.entry(node, amount));
            });
        }

        @Override
        public void close() {
            booked.forEach(one -> fleet.book(Side.COMMITTED, one.getKey(), one.getValue(), -1));
        }
    }
}

package dev.muster.core.decide.evict;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.Ratios;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gangs that a candidate may stop, and the search among them for the set to stop.
 *
 * <p>A set is good if it holds every gang that must go along, quota then admits the candidate, the rule on surplus allows
 * it, and the candidate then finds a place. Numbered steps of {@link #search}:
 *
 * <ol>
 *   <li>Take out all legal victims, or as many as the rule on surplus allows, the cheapest first. Where that rule does not
 *       bind, this decides for one shape of pods whether any good set exists.
 *   <li>Put back what is not needed: the candidate's own queue first, then the costliest. A run of gangs that can all go back
 *       is found by halving, so the number of tests grows with the victims, not with the legal ones.
 *   <li>Second start: take out the cheapest per charge released until the candidate fits, then put back as before.
 *   <li>Improve the better of both: one victim for another one or two that lose less together.
 * </ol>
 *
 * Every result is tested as a whole, and no single victim of it can be left out. The committed ledger is changed while a
 * search runs and is as before when it ends.
 */
public final class Prospect {
    /** Most tests of place that the improving step may ask for. */
    private static final int MOST_TESTS = 400;
    /** How many of the cheapest others are tried in pairs. */
    private static final int PARTNERS = 12;

    private final Ledger committed;
    private final Stake candidate;
    private final Stake[] legal;
    private final long[] cost;
    private final boolean[] own;
    private final boolean[] required;
    private final boolean[] out;
    private final int[] perSlot;
    private final SurplusRule surplus;
    private final @Nullable NoEviction nobody;
    private int tests;
    private NoEviction objection = NoEviction.NO_LEGAL_VICTIM;

    private Prospect(
            Standing standing,
            Share share,
            Stake candidate,
            boolean waited,
            Stake[] legal,
            long[] cost,
            Set<Stake> mustGo,
            @Nullable NoEviction nobody) {
        committed = standing.committed();
        this.candidate = candidate;
        this.legal = legal;
        this.cost = cost;
        this.nobody = nobody;
        own = new boolean[legal.length];
        required = new boolean[legal.length];
        out = new boolean[legal.length];
        for (int i = 0; i < legal.length; i++) {
            own[i] = legal[i].queue() == candidate.queue();
            required[i] = mustGo.contains(legal[i]);
        }
        perSlot = orderPerSlot();
        surplus = new SurplusRule(committed, share, candidate, waited, legal);
    }

    static Prospect without(Standing standing, Share share, Stake candidate, NoEviction why) {
        return new Prospect(standing, share, candidate, true, new Stake[0], new long[0], Set.of(), why);
    }

    static Prospect of(
            Standing standing,
            Share share,
            Stake candidate,
            boolean waited,
            Victims victims,
            List<Stake> legal,
            List<Stake> required) {
        record Priced(Stake gang, long cost) {}
        List<Priced> priced = new ArrayList<>();
        legal.forEach(gang -> priced.add(new Priced(gang, victims.cost(gang))));
        priced.sort(Comparator.<Priced>comparingInt(one -> one.gang.queue() == candidate.queue() ? 0 : 1)
                .thenComparing(Comparator.<Priced>comparingLong(one -> one.cost).reversed())
                .thenComparing(one -> one.gang.uid(), Comparator.reverseOrder()));
        return new Prospect(
                standing,
                share,
                candidate,
                waited,
                priced.stream().map(Priced::gang).toArray(Stake[]::new),
                priced.stream().mapToLong(Priced::cost).toArray(),
                new HashSet<>(required),
                null);
    }

    /** The legal victims, the first to be spared first: own queue, then costliest, then larger UID. */
    public List<Stake> legal() {
        return List.of(legal);
    }

    /** The preferred set that search finds; place is tested only where quota suffices. */
    public Outcome search(Place place) {
        return search(place, gang -> true);
    }

    /**
     * The same among some of the legal victims only, for instance those of one topology domain.
     *
     * @param among which legal victims may be taken; one that must go along and may not be taken refuses the search
     */
    public Outcome search(Place place, java.util.function.Predicate<Stake> among) {
        if (nobody != null) {
            return new Outcome.Refused(nobody);
        }
        tests = 0;
        boolean[] barred = new boolean[legal.length];
        for (int i = 0; i < legal.length; i++) {
            barred[i] = !among.test(legal[i]);
            if (barred[i] && required[i]) {
                return new Outcome.Refused(NoEviction.PUSHES_OTHERS);
            }
        }
        try {
            return searchAmong(place, barred);
        } finally {
            putBackAll();
        }
    }

    private Outcome searchAmong(Place place, boolean[] barred) {
        if (committed.admits(candidate.queue(), candidate.charge()) && place.fits(legal, out)) {
            return new Outcome.Refused(NoEviction.FITS);
        }
        Eviction best = null;
        if (takeAll(place, barred)) {
            spare(place);
            best = taken();
        }
        NoEviction why = objection;
        if (takeCheapestPerSlot(place, barred)) {
            spare(place);
            best = better(best, taken());
        }
        if (best == null) {
            return new Outcome.Refused(why);
        }
        return new Outcome.Evict(improve(best, place, barred));
    }

    /** Step 1: all legal victims, or the cheapest that the rule on surplus allows together. */
    private boolean takeAll(Place place, boolean[] barred) {
        putBackAll();
        for (int i = legal.length - 1; i >= 0; i--) {
            if (!barred[i]) {
                take(i);
            }
        }
        if (surplus.objection() != null) {
            putBackAll();
            takeRequired();
            for (int i = legal.length - 1; i >= 0; i--) {
                if (!barred[i] && !out[i]) {
                    take(i);
                    if (surplus.objection() != null) {
                        putBack(i);
                    }
                }
            }
        }
        return isGood(place);
    }

    /** Step 3: the cheapest per charge released, as few as suffice. */
    private boolean takeCheapestPerSlot(Place place, boolean[] barred) {
        putBackAll();
        takeRequired();
        for (int i : perSlot) {
            if (barred[i] || out[i]) {
                continue;
            }
            take(i);
            if (surplus.objection() != null) {
                putBack(i);
            } else if (committed.admits(candidate.queue(), candidate.charge()) && isGood(place)) {
                return true;
            }
        }
        return false;
    }

    /** Step 2: puts back what is not needed, first to be spared first. */
    private void spare(Place place) {
        int[] taken = takenOnes();
        int next = 0;
        while (next < taken.length) {
            int free = longestRun(taken, next, place);
            next += free + 1;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int victim : takenOnes()) {
                changed |= spareOne(victim, place);
            }
        }
    }

    private boolean spareOne(int victim, Place place) {
        if (required[victim]) {
            return false;
        }
        putBack(victim);
        if (isGood(place)) {
            return true;
        }
        take(victim);
        return false;
    }

    /** How many from {@code from} on can all go back; they are put back, the one after them is needed. */
    private int longestRun(int[] taken, int from, Place place) {
        int sure = 0;
        int step = 1;
        int most = from;
        while (most < taken.length && !required[taken[most]]) {
            most++;
        }
        int refusedAt = most - from + 1;
        while (sure + 1 < refusedAt) {
            int length = Math.min(sure + step, refusedAt - 1);
            setBack(taken, from + sure, from + length);
            if (isGood(place)) {
                sure = length;
                step *= 2;
            } else {
                setOut(taken, from + sure, from + length);
                refusedAt = length;
                step = Math.max(1, (refusedAt - sure) / 2);
            }
        }
        return sure;
    }

    private void setBack(int[] taken, int from, int end) {
        for (int i = from; i < end; i++) {
            putBack(taken[i]);
        }
    }

    private void setOut(int[] taken, int from, int end) {
        for (int i = from; i < end; i++) {
            take(taken[i]);
        }
    }

    /** Step 4. */
    private Eviction improve(Eviction found, Place place, boolean[] barred) {
        Eviction best = found;
        boolean changed = true;
        while (changed && tests < MOST_TESTS) {
            restore(best);
            changed = false;
            for (int victim : takenOnes()) {
                Eviction swapped = required[victim] ? null : swapped(victim, best, place, barred);
                if (swapped != null) {
                    best = swapped;
                    changed = true;
                    break;
                }
            }
        }
        return best;
    }

    private @Nullable Eviction swapped(int victim, Eviction best, Place place, boolean[] barred) {
        int[] others = cheaperThan(victim, barred);
        putBack(victim);
        for (int i = 0; i < others.length && tests < MOST_TESTS; i++) {
            take(others[i]);
            Eviction one = betterThan(best, place);
            if (one != null) {
                return one;
            }
            for (int j = 0; j < Math.min(i, PARTNERS) && tests < MOST_TESTS; j++) {
                take(others[j]);
                Eviction two = betterThan(best, place);
                if (two != null) {
                    return two;
                }
                putBack(others[j]);
            }
            putBack(others[i]);
        }
        take(victim);
        return null;
    }

    private @Nullable Eviction betterThan(Eviction best, Place place) {
        if (taken().compareTo(best) >= 0 || !isGood(place)) {
            return null;
        }
        spare(place);
        return taken();
    }

    /** Those that lose no more than a victim, cheapest first. */
    private int[] cheaperThan(int victim, boolean[] barred) {
        int[] found = new int[legal.length];
        int count = 0;
        for (int i = legal.length - 1; i >= 0; i--) {
            boolean lessLost = own[i] == own[victim] ? cost[i] <= cost[victim] : own[victim];
            if (!barred[i] && !out[i] && lessLost) {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private void restore(Eviction eviction) {
        putBackAll();
        Set<Stake> victims = new HashSet<>(eviction.victims());
        for (int i = 0; i < legal.length; i++) {
            if (victims.contains(legal[i])) {
                take(i);
            }
        }
    }

    /**
     * Every good set from which no victim can be left out, best first; for small worlds only, its time grows with 2^legal.
     *
     * @throws IllegalStateException with more than 20 legal victims
     */
    public List<Eviction> all(Place place) {
        if (legal.length > 20) {
            throw new IllegalStateException(legal.length + " legal victims are too many to try all sets");
        }
        List<Eviction> found = new ArrayList<>();
        if (nobody != null || (committed.admits(candidate.queue(), candidate.charge()) && place.fits(legal, out))) {
            return found;
        }
        for (int mask = 1; mask < 1 << legal.length; mask++) {
            for (int i = 0; i < legal.length; i++) {
                if ((mask >> i & 1) == 1) {
                    take(i);
                }
            }
            if (holdsRequired() && isGood(place) && noneNeedless(place)) {
                found.add(taken());
            }
            putBackAll();
        }
        found.sort(null);
        return found;
    }

    private boolean noneNeedless(Place place) {
        for (int victim : takenOnes()) {
            if (spareOne(victim, place)) {
                return false;
            }
        }
        return true;
    }

    private boolean holdsRequired() {
        for (int i = 0; i < legal.length; i++) {
            if (required[i] && !out[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isGood(Place place) {
        if (!committed.admits(candidate.queue(), candidate.charge())) {
            objection = NoEviction.NOT_ENOUGH_QUOTA;
            return false;
        }
        NoEviction bySurplus = surplus.objection();
        if (bySurplus != null) {
            objection = bySurplus;
            return false;
        }
        tests++;
        if (!place.fits(legal, out)) {
            objection = NoEviction.NO_PLACE;
            return false;
        }
        return true;
    }

    private void takeRequired() {
        for (int i = 0; i < legal.length; i++) {
            if (required[i]) {
                take(i);
            }
        }
    }

    private void take(int victim) {
        if (!out[victim]) {
            committed.uncharge(legal[victim].queue(), legal[victim].charge());
            out[victim] = true;
            surplus.moved(victim, 1);
        }
    }

    private void putBack(int victim) {
        if (out[victim]) {
            committed.charge(legal[victim].queue(), legal[victim].charge());
            out[victim] = false;
            surplus.moved(victim, -1);
        }
    }

    private void putBackAll() {
        for (int i = 0; i < legal.length; i++) {
            putBack(i);
        }
    }

    private int[] takenOnes() {
        int[] found = new int[legal.length];
        int count = 0;
        for (int i = 0; i < legal.length; i++) {
            if (out[i]) {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private Eviction taken() {
        List<Stake> victims = new ArrayList<>();
        long total = 0;
        long ownTotal = 0;
        int ownVictims = 0;
        for (int i : takenOnes()) {
            victims.add(legal[i]);
            total = Math.addExact(total, cost[i]);
            ownTotal += own[i] ? cost[i] : 0;
            ownVictims += own[i] ? 1 : 0;
        }
        return new Eviction(victims, total, ownTotal, ownVictims);
    }

    private static Eviction better(@Nullable Eviction one, Eviction other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }

    private int[] orderPerSlot() {
        Integer[] order = new Integer[legal.length];
        Arrays.setAll(order, i -> i);
        long[] slots = new long[legal.length];
        Arrays.setAll(slots, i -> released(legal[i]));
        Arrays.sort(order, (a, b) -> {
            if (own[a] != own[b]) {
                return own[a] ? 1 : -1;
            }
            int byRate = Ratios.compare(cost[a], slots[a], cost[b], slots[b]);
            return byRate != 0 ? byRate : legal[a].uid().compareTo(legal[b].uid());
        });
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }

    /** How much of what the candidate asks a victim releases, in thousandths of it summed over dimensions; at least 1. */
    private long released(Stake gang) {
        long sum = 1;
        for (int i = 0; i < candidate.charge().size(); i++) {
            long asked = candidate.charge().amount(i);
            long freed = Math.min(asked, gang.charge().of(candidate.charge().dim(i)));
            sum += Ratios.scaledUp(freed, asked, 10, 1 << 10);
        }
        return sum;
    }
}

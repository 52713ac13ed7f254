package dev.muster.core.decide.evict;

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
import java.util.function.Predicate;
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
 *   <li>Where the rule on surplus binds and both starts failed: take out those first that release most; at last, with at most
 *       ten legal victims, try every set.
 *   <li>Improve the better one: one victim for another one or two that lose less together.
 * </ol>
 *
 * Every result is tested as a whole, and no single victim of it can be left out. The committed ledger is changed while a
 * search runs and is as before when it ends.
 */
public final class Prospect {
    /** Most tests of place that the improving step may ask for. */
    private static final int MOST_TESTS = 400;
    /** Most sets that the improving step may try, place tested or not. */
    private static final int MOST_TRIALS = 5_000;
    /** With so many legal victims every set is tried before the search gives up. */
    private static final int FEW = 10;
    /** How many of the cheapest others are tried in pairs. */
    private static final int PARTNERS = 12;

    private final Stake candidate;
    private final Stake[] legal;
    private final VictimSet set;
    private final int[] perSlot;
    private final @Nullable NoEviction nobody;
    private int mostTests;
    private int mostTrials;

    private Prospect(Stake candidate, Stake[] legal, VictimSet set, @Nullable NoEviction nobody) {
        this.candidate = candidate;
        this.legal = legal;
        this.set = set;
        this.nobody = nobody;
        perSlot = orderPerSlot();
    }

    static Prospect without(Standing standing, Share share, Stake candidate, NoEviction why) {
        Stake[] nobody = new Stake[0];
        return new Prospect(
                candidate,
                nobody,
                new VictimSet(standing.committed(), share, candidate, true, nobody, new long[0], Set.of()),
                why);
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
        Stake[] gangs = priced.stream().map(Priced::gang).toArray(Stake[]::new);
        long[] costs = priced.stream().mapToLong(Priced::cost).toArray();
        return new Prospect(
                candidate,
                gangs,
                new VictimSet(standing.committed(), share, candidate, waited, gangs, costs, new HashSet<>(required)),
                null);
    }

    /** Why nobody may be stopped, before quota and place are looked at; null when somebody may. */
    public @Nullable NoEviction nobody() {
        return nobody;
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
    public Outcome search(Place place, Predicate<Stake> among) {
        if (nobody != null) {
            return new Outcome.Refused(nobody);
        }
        for (int i = 0; i < legal.length; i++) {
            boolean barred = !among.test(legal[i]);
            if (barred && set.isRequired(i)) {
                return new Outcome.Refused(NoEviction.PUSHES_OTHERS);
            }
            set.bar(i, barred);
        }
        try {
            return searchAmong(place);
        } finally {
            set.putBackAll();
        }
    }

    private Outcome searchAmong(Place place) {
        if (set.fitsNow(place)) {
            return new Outcome.Refused(NoEviction.FITS);
        }
        set.takeAll();
        boolean good = set.isGood(place);
        NoEviction why = set.objection();
        if (!good && set.allowedBySurplus()) {
            return new Outcome.Refused(why);
        }
        Eviction best = spared(good || takeCheapest(place), null, place);
        best = spared(takeInOrder(perSlot, place), best, place);
        if (best == null) {
            best = spared(takeInOrder(mostFirst(), place), null, place);
        }
        if (best == null) {
            best = legal.length <= FEW ? all(place).stream().findFirst().orElse(null) : null;
        }
        return best == null ? new Outcome.Refused(why) : new Outcome.Evict(improve(best, place));
    }

    private @Nullable Eviction spared(boolean found, @Nullable Eviction best, Place place) {
        if (!found) {
            return best;
        }
        spare(place);
        Eviction eviction = set.eviction();
        return best == null || eviction.compareTo(best) < 0 ? eviction : best;
    }

    /** Step 1 where the rule on surplus forbids to take all. */
    private boolean takeCheapest(Place place) {
        set.takeOnlyRequired();
        for (int i = legal.length - 1; i >= 0; i--) {
            if (set.isFree(i)) {
                set.takeIfAllowed(i);
            }
        }
        return set.isGood(place);
    }

    /** Step 2. */
    private void spare(Place place) {
        int[] taken = set.taken();
        int next = 0;
        while (next < taken.length) {
            next += spareRun(taken, next, place) + 1;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int victim : set.taken()) {
                changed |= set.spare(victim, place);
            }
        }
    }

    /** Puts back as many as can go back from a position on; the one after them is needed. Returns how many. */
    private int spareRun(int[] taken, int from, Place place) {
        int end = from;
        while (end < taken.length && !set.isRequired(taken[end])) {
            end++;
        }
        int sure = 0;
        int refused = end - from + 1;
        int step = 1;
        while (sure + 1 < refused) {
            int length = Math.min(sure + step, refused - 1);
            for (int i = sure; i < length; i++) {
                set.putBack(taken[from + i]);
            }
            if (set.isGood(place)) {
                sure = length;
                step *= 2;
            } else {
                for (int i = sure; i < length; i++) {
                    set.take(taken[from + i]);
                }
                refused = length;
                step = Math.max(1, (refused - sure) / 2);
            }
        }
        return sure;
    }

    /** Steps 3 and 4: enough of them in an order; between tests of place their number doubles. */
    private boolean takeInOrder(int[] order, Place place) {
        set.takeOnlyRequired();
        int more = 1;
        int untested = 0;
        for (int i : order) {
            if (set.isFree(i) && set.takeIfAllowed(i) && set.quotaAdmits() && ++untested >= more) {
                if (set.isGood(place)) {
                    return true;
                }
                more *= 2;
                untested = 0;
            }
        }
        return untested > 0 && set.isGood(place);
    }

    /** Step 5. */
    private Eviction improve(Eviction found, Place place) {
        mostTests = set.tests() + MOST_TESTS;
        mostTrials = set.trials() + MOST_TRIALS;
        Eviction best = found;
        boolean changed = true;
        while (changed && maySearchOn()) {
            set.takeOnly(best);
            changed = false;
            for (int victim : set.taken()) {
                Eviction swapped = set.isRequired(victim) ? null : swap(victim, best, place);
                if (swapped != null) {
                    best = swapped;
                    changed = true;
                    break;
                }
            }
        }
        return best;
    }

    private @Nullable Eviction swap(int victim, Eviction best, Place place) {
        int[] others = cheaperThan(victim);
        set.putBack(victim);
        for (int i = 0; i < others.length && maySearchOn(); i++) {
            set.take(others[i]);
            Eviction better = betterThan(best, place);
            for (int j = 0; better == null && j < Math.min(i, PARTNERS) && maySearchOn(); j++) {
                set.take(others[j]);
                better = betterThan(best, place);
                if (better == null) {
                    set.putBack(others[j]);
                }
            }
            if (better != null) {
                return better;
            }
            set.putBack(others[i]);
        }
        set.take(victim);
        return null;
    }

    private boolean maySearchOn() {
        return set.tests() < mostTests && set.trials() < mostTrials;
    }

    private @Nullable Eviction betterThan(Eviction best, Place place) {
        if (!set.isPreferredTo(best) || !set.isGood(place)) {
            return null;
        }
        spare(place);
        return set.eviction();
    }

    /** Those that lose no more than a victim, cheapest first. */
    private int[] cheaperThan(int victim) {
        int[] found = new int[legal.length];
        int count = 0;
        for (int i = legal.length - 1; i >= 0; i--) {
            boolean lessLost = set.isOwn(i) == set.isOwn(victim) ? set.cost(i) <= set.cost(victim) : set.isOwn(victim);
            if (set.isFree(i) && lessLost) {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
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
        set.putBackAll();
        if (nobody != null || set.fitsNow(place)) {
            return found;
        }
        for (int mask = 1; mask < 1 << legal.length; mask++) {
            if (takes(mask) && set.isGood(place)) {
                Eviction eviction = set.eviction();
                if (noneNeedless(place)) {
                    found.add(eviction);
                }
            }
            set.putBackAll();
        }
        found.sort(null);
        return found;
    }

    private boolean takes(int mask) {
        boolean all = true;
        for (int i = 0; i < legal.length; i++) {
            if ((mask >> i & 1) == 0) {
                all &= !set.isRequired(i);
            } else if (set.isFree(i)) {
                set.take(i);
            } else {
                return false;
            }
        }
        return all;
    }

    private boolean noneNeedless(Place place) {
        for (int victim : set.taken()) {
            if (set.spare(victim, place)) {
                return false;
            }
        }
        return true;
    }

    private int[] mostFirst() {
        Integer[] order = new Integer[legal.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(
                order,
                Comparator.<Integer>comparingInt(i -> set.isOwn(i) ? 0 : 1)
                        .thenComparing(Comparator.<Integer>comparingLong(i -> released(legal[i]))
                                .reversed())
                        .thenComparing(i -> legal[i].uid()));
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }

    private int[] orderPerSlot() {
        Integer[] order = new Integer[legal.length];
        Arrays.setAll(order, i -> i);
        long[] slots = new long[legal.length];
        Arrays.setAll(slots, i -> released(legal[i]));
        Arrays.sort(order, (a, b) -> {
            if (set.isOwn(a) != set.isOwn(b)) {
                return set.isOwn(a) ? 1 : -1;
            }
            int byRate = Ratios.compare(set.cost(a), slots[a], set.cost(b), slots[b]);
            return byRate != 0 ? byRate : legal[a].uid().compareTo(legal[b].uid());
        });
        return Arrays.stream(order).mapToInt(i -> i).toArray();
    }

    /** How much of what the candidate asks a victim releases, in 1/1024 of it summed over dimensions, and 1. */
    private long released(Stake gang) {
        long sum = 1;
        for (int i = 0; i < candidate.charge().size(); i++) {
            long asked = candidate.charge().amount(i);
            long freed =
                    Math.min(asked, gang.charge().amountIn(candidate.charge().dim(i)));
            sum += Ratios.scaledUp(freed, asked, 10, 1 << 10);
        }
        return sum;
    }
}

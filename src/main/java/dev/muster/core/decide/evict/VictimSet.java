package dev.muster.core.decide.evict;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Legal victims, and which of them are taken out for a trial. Taking one out takes its charge off the committed ledger, so
 * that quota can be asked as it would be without them.
 */
final class VictimSet {
    private final Ledger committed;
    private final Stake candidate;
    private final Stake[] legal;
    private final long[] cost;
    private final boolean[] own;
    private final boolean[] required;
    private final boolean[] barred;
    private final boolean[] out;
    private final SurplusRule surplus;
    private int tests;
    private int trials;
    private int count;
    private int ownCount;
    private long totalCost;
    private long ownCost;
    private NoEviction objection = NoEviction.NO_LEGAL_VICTIM;

    VictimSet(
            Ledger committed,
            Share share,
            Stake candidate,
            boolean waited,
            Stake[] legal,
            long[] cost,
            Set<Stake> required) {
        this.committed = committed;
        this.candidate = candidate;
        this.legal = legal;
        this.cost = cost;
        own = new boolean[legal.length];
        this.required = new boolean[legal.length];
        barred = new boolean[legal.length];
        out = new boolean[legal.length];
        for (int i = 0; i < legal.length; i++) {
            own[i] = legal[i].queue() == candidate.queue();
            this.required[i] = required.contains(legal[i]);
        }
        surplus = new SurplusRule(committed, share, candidate, waited, legal);
    }

    /** How many legal victims there are. */
    int size() {
        return legal.length;
    }

    Stake gang(int victim) {
        return legal[victim];
    }

    long cost(int victim) {
        return cost[victim];
    }

    /** Whether it is of the candidate's own queue. */
    boolean isOwn(int victim) {
        return own[victim];
    }

    /** Whether the candidate would push it out of cover, so that it must go along. */
    boolean isRequired(int victim) {
        return required[victim];
    }

    boolean isOut(int victim) {
        return out[victim];
    }

    /** Whether it may be taken out and is not. */
    boolean isFree(int victim) {
        return !barred[victim] && !out[victim];
    }

    void bar(int victim, boolean bar) {
        barred[victim] = bar;
    }

    void take(int victim) {
        if (!out[victim]) {
            committed.uncharge(legal[victim].queue(), legal[victim].charge());
            moved(victim, 1);
        }
    }

    /** Takes one out if the rule on surplus still allows all that are out. */
    boolean takeIfAllowed(int victim) {
        take(victim);
        if (surplus.objection() == null) {
            return true;
        }
        putBack(victim);
        return false;
    }

    void putBack(int victim) {
        if (out[victim]) {
            committed.charge(legal[victim].queue(), legal[victim].charge());
            moved(victim, -1);
        }
    }

    void takeAll() {
        for (int i = 0; i < legal.length; i++) {
            if (isFree(i)) {
                take(i);
            }
        }
    }

    private void moved(int victim, int by) {
        out[victim] = by > 0;
        surplus.moved(victim, by);
        count += by;
        totalCost += by * cost[victim];
        if (own[victim]) {
            ownCount += by;
            ownCost += by * cost[victim];
        }
    }

    void putBackAll() {
        for (int i = 0; i < legal.length; i++) {
            putBack(i);
        }
    }

    /** Only those that must go along are out. */
    void takeOnlyRequired() {
        for (int i = 0; i < legal.length; i++) {
            if (required[i]) {
                take(i);
            } else {
                putBack(i);
            }
        }
    }

    /** Only the victims of an eviction are out. */
    void takeOnly(Eviction eviction) {
        for (int i = 0; i < legal.length; i++) {
            if (eviction.victims().contains(legal[i])) {
                take(i);
            } else {
                putBack(i);
            }
        }
    }

    /** Puts one back if the others suffice without it. */
    boolean spare(int victim, Place place) {
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

    boolean allowedBySurplus() {
        return surplus.objection() == null;
    }

    boolean quotaAdmits() {
        return committed.admits(candidate.queue(), candidate.charge());
    }

    boolean fitsNow(Place place) {
        return quotaAdmits() && place.fits(legal, out);
    }

    /** Whether the candidate fits without those that are out, and all of them may be stopped together. */
    boolean isGood(Place place) {
        trials++;
        NoEviction bySurplus = quotaAdmits() ? surplus.objection() : NoEviction.NOT_ENOUGH_QUOTA;
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

    /** Why the last set that was not good was not. */
    NoEviction objection() {
        return objection;
    }

    /** How often place was asked. */
    int tests() {
        return tests;
    }

    /** How often any set was tried. */
    int trials() {
        return trials;
    }

    /** Those that are out, in order. */
    int[] taken() {
        int[] found = new int[legal.length];
        int count = 0;
        for (int i = 0; i < legal.length; i++) {
            if (out[i]) {
                found[count++] = i;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Those that are out, as an eviction. */
    Eviction eviction() {
        List<Stake> victims = new ArrayList<>();
        for (int i : taken()) {
            victims.add(legal[i]);
        }
        return new Eviction(victims, totalCost, ownCost, ownCount);
    }

    /** Whether those that are out are preferred to an eviction. */
    boolean isPreferredTo(Eviction other) {
        if (ownCost != other.ownCost()) {
            return ownCost < other.ownCost();
        }
        if (ownCount != other.ownVictims()) {
            return ownCount < other.ownVictims();
        }
        if (totalCost != other.cost()) {
            return totalCost < other.cost();
        }
        return count <= other.victims().size() && eviction().compareTo(other) < 0;
    }
}

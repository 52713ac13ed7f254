package dev.muster.core.decide.evict;

import dev.muster.core.share.Ledger;
import dev.muster.core.share.Level;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The condition for preempting on surplus, for the victims that are out at a time.
 *
 * <p>Towards a common ancestor the candidate lives on surplus if, in the end state, every node of its way up below the
 * ancestor exceeds its S in a dimension of the candidate's. Then it must have waited, and the level of its side's child of
 * the ancestor before must be below the level of each victim side's child after, unless that side has weight 0. A victim of
 * the ancestor's own queue has no side: it lives on what the children leave.
 */
final class SurplusRule {
    private static final int NO_SIDE = -1;

    private final QuotaTree tree;
    private final Ledger committed;
    private final Share share;
    private final Stake candidate;
    private final boolean waited;
    private final int[] ancestors;
    private final @Nullable Level[] levelBefore;
    private final int[] sides;
    private final int[] ancestorOfSide;
    private final int[] sideOf;
    private final int[] out;
    private int distinctSides;

    SurplusRule(Ledger committed, Share share, Stake candidate, boolean waited, Stake[] legal) {
        tree = committed.tree();
        this.committed = committed;
        this.share = share;
        this.candidate = candidate;
        this.waited = waited;
        ancestors = new int[tree.depth(candidate.queue()) + 1];
        levelBefore = new Level[ancestors.length];
        sides = new int[legal.length];
        ancestorOfSide = new int[legal.length];
        sideOf = new int[legal.length];
        out = new int[legal.length];
        Arrays.fill(ancestors, -1);
        int[] sideOfNode = new int[tree.size()];
        int[] sideAtAncestor = new int[tree.size()];
        Arrays.fill(sideOfNode, -1);
        Arrays.fill(sideAtAncestor, -1);
        for (int i = 0; i < legal.length; i++) {
            int queue = legal[i].queue();
            int ancestor = tree.lowestCommonAncestor(queue, candidate.queue());
            int side = queue == ancestor ? NO_SIDE : tree.childTowards(ancestor, queue);
            int[] known = side == NO_SIDE ? sideAtAncestor : sideOfNode;
            int key = side == NO_SIDE ? ancestor : side;
            if (known[key] < 0) {
                known[key] = distinctSides;
                addSide(ancestor, side);
            }
            sideOf[i] = known[key];
        }
    }

    private void addSide(int ancestor, int side) {
        sides[distinctSides] = side;
        ancestorOfSide[distinctSides++] = tree.depth(ancestor);
        ancestors[tree.depth(ancestor)] = ancestor;
        if (ancestor != candidate.queue()) {
            levelBefore[tree.depth(ancestor)] = share.level(committed, tree.childTowards(ancestor, candidate.queue()));
        }
    }

    /** Notes that a victim was taken out (+1) or put back (-1). */
    void moved(int victim, int by) {
        out[sideOf[victim]] += by;
    }

    /** Why the victims that are out now may not all be stopped; null when they may. */
    @Nullable
    NoEviction objection() {
        for (int depth = 0; depth < ancestors.length; depth++) {
            if (isUsed(depth) && onSurplus(depth)) {
                if (!waited) {
                    return NoEviction.SHARE_WAIT;
                }
                if (!isLowerThanAllSides(depth)) {
                    return NoEviction.SIDE_NOT_LOWER;
                }
            }
        }
        return null;
    }

    private boolean isUsed(int depth) {
        for (int side = 0; side < distinctSides; side++) {
            if (ancestorOfSide[side] == depth && out[side] > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean onSurplus(int depth) {
        int ancestor = ancestors[depth];
        return ancestor != candidate.queue()
                && share.onSurplus(committed, candidate.queue(), candidate.charge(), ancestor);
    }

    private boolean isLowerThanAllSides(int depth) {
        Level before = levelBefore[depth];
        for (int side = 0; side < distinctSides; side++) {
            if (ancestorOfSide[side] == depth
                    && out[side] > 0
                    && sides[side] != NO_SIDE
                    && tree.weight(sides[side]) > 0
                    && before != null
                    && before.compareTo(share.level(committed, sides[side])) >= 0) {
                return false;
            }
        }
        return true;
    }
}

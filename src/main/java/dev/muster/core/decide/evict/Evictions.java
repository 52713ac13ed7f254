package dev.muster.core.decide.evict;

import dev.muster.core.share.Cover;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Share;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may preempt whom.
 *
 * <p>With the candidate X treated as committed last, X may stop an interruptible gang g that is past its protection
 *
 * <ol>
 *   <li>of another queue, iff X is covered strictly below their lowest common ancestor and g is not;
 *   <li>of its own queue, iff X is covered there, g is not, and g's base priority is lower.
 * </ol>
 *
 * X must push no gang out of cover at the depth where X is covered, or deeper, unless that gang is itself a victim, or is of
 * X's own queue and of lower priority, or is of X's own queue and interruptible while X is firm. The rule on surplus depends
 * on the set of victims and is part of {@link Prospect}.
 *
 * <p>These rules keep two properties: a gang that is covered in its own queue is never lost to another queue, and every
 * preemption raises the potential (the firm gangs; then each node's covered list, deepest nodes first).
 */
public final class Evictions {
    private final Standing standing;
    private final QuotaTree tree;
    private final Share share;

    /** For the gangs of a standing; sees its changes. */
    public Evictions(Standing standing) {
        this.standing = standing;
        tree = standing.tree();
        share = standing.share();
    }

    /**
     * Whom a candidate may stop, before quota and place are looked at. Valid until the standing changes.
     *
     * @param candidate a gang that is wanted and not committed
     * @param waitedShare whether it has waited long enough to preempt for surplus
     */
    public Prospect prospect(Stake candidate, boolean waitedShare, Victims victims) {
        if (candidate.firm() && !standing.committedFirm().admits(candidate.queue(), candidate.charge())) {
            return Prospect.without(standing, share, candidate, NoEviction.FIRM_LEDGER);
        }
        int[] now = standing.coveredAt();
        if (isCheaplyUncovered(candidate, now)) {
            return Prospect.without(standing, share, candidate, NoEviction.NOT_COVERED);
        }
        int[] with = standing.coveredWith(candidate);
        int at = with[candidate.slot()];
        if (at == Cover.NOWHERE) {
            return Prospect.without(standing, share, candidate, NoEviction.NOT_COVERED);
        }
        List<Stake> legal = new ArrayList<>();
        List<Stake> required = new ArrayList<>();
        for (int queue = 0; queue < tree.size(); queue++) {
            int ancestor = tree.lowestCommonAncestor(queue, candidate.queue());
            if (ancestor < 0) {
                continue;
            }
            for (Stake gang : standing.cover().gangs(queue)) {
                boolean mayStop = isLegal(candidate, at, gang, with[gang.slot()], ancestor) && victims.mayStop(gang);
                if (mayStop) {
                    legal.add(gang);
                }
                if (isPushed(at, now[gang.slot()], with[gang.slot()]) && !mayPush(candidate, gang)) {
                    if (!mayStop) {
                        return Prospect.without(standing, share, candidate, NoEviction.PUSHES_OTHERS);
                    }
                    required.add(gang);
                }
            }
        }
        return legal.isEmpty()
                ? Prospect.without(standing, share, candidate, NoEviction.NO_LEGAL_VICTIM)
                : Prospect.of(standing, share, candidate, waitedShare, victims, legal, required);
    }

    /** A candidate right below a root may stop nobody unless its own queue covers it, and that is known at once. */
    private boolean isCheaplyUncovered(Stake candidate, int[] now) {
        int queue = candidate.queue();
        return !candidate.firm()
                && tree.depth(queue) <= 1
                && tree.childCount(queue) == 0
                && !standing.cover().coversInQueue(standing.due(), candidate, now);
    }

    private boolean isLegal(Stake candidate, int candidateAt, Stake gang, int gangAt, int ancestor) {
        if (gang.firm()) {
            return false;
        }
        if (gang.queue() == candidate.queue()) {
            return candidateAt == candidate.queue()
                    && gangAt != candidate.queue()
                    && gang.priority() < candidate.priority();
        }
        return tree.depth(candidateAt) > tree.depth(ancestor)
                && (gangAt == Cover.NOWHERE || tree.depth(gangAt) <= tree.depth(ancestor));
    }

    private boolean isPushed(int candidateAt, int before, int after) {
        int depth = tree.depth(candidateAt);
        return before != Cover.NOWHERE
                && tree.depth(before) >= depth
                && (after == Cover.NOWHERE || tree.depth(after) < depth);
    }

    private static boolean mayPush(Stake candidate, Stake gang) {
        return gang.queue() == candidate.queue()
                && (gang.priority() < candidate.priority() || (candidate.firm() && !gang.firm()));
    }
}

package dev.muster.core.decide.evict;

import dev.muster.core.share.Cover;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What every preemption must raise: the firm gangs, then each node's covered list, deepest nodes first. */
record Potential(QuotaTree tree, Set<String> firm, List<List<Stake>> coveredOf) implements Comparable<Potential> {
    static Potential of(Standing standing) {
        QuotaTree tree = standing.tree();
        int[] at = standing.coveredAt();
        Set<String> firm = new HashSet<>();
        List<List<Stake>> covered = new ArrayList<>();
        for (int node = 0; node < tree.size(); node++) {
            covered.add(new ArrayList<>());
        }
        for (int node = 0; node < tree.size(); node++) {
            for (Stake gang : standing.cover().gangs(node)) {
                if (gang.firm()) {
                    firm.add(gang.uid());
                }
                if (at[gang.slot()] != Cover.NOWHERE) {
                    covered.get(at[gang.slot()]).add(gang);
                }
            }
        }
        for (int node = 0; node < tree.size(); node++) {
            covered.get(node).sort(order(tree, node));
        }
        return new Potential(tree, firm, covered);
    }

    private static Comparator<Stake> order(QuotaTree tree, int node) {
        return tree.childCount(node) == 0 ? Stake::compareInQueue : Stake::compareAbove;
    }

    @Override
    public int compareTo(Potential other) {
        if (!firm.equals(other.firm)) {
            return firm.containsAll(other.firm) ? 1 : -1;
        }
        for (int node = tree.size() - 1; node >= 0; node--) {
            int byList = compare(coveredOf.get(node), other.coveredOf.get(node), order(tree, node));
            if (byList != 0) {
                return byList;
            }
        }
        return 0;
    }

    private static int compare(List<Stake> ours, List<Stake> theirs, Comparator<Stake> order) {
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            int first = order.compare(theirs.get(i), ours.get(i));
            if (first != 0) {
                return first;
            }
        }
        return Integer.compare(ours.size(), theirs.size());
    }
}

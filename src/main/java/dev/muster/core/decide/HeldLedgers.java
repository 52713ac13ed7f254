package dev.muster.core.decide;

import dev.muster.core.share.Charge;
import dev.muster.core.share.Ledger;
import dev.muster.core.share.LedgerKind;
import dev.muster.core.share.QuotaTree;
import dev.muster.core.share.Refusal;
import dev.muster.core.share.Stake;
import dev.muster.core.share.Standing;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is really held: by all gangs, and by firm ones against the firm limits. */
final class HeldLedgers {
    private final Ledger all;
    private final Ledger firm;

    HeldLedgers(QuotaTree tree) {
        all = new Ledger(tree, LedgerKind.NORMAL);
        firm = new Ledger(tree, LedgerKind.FIRM);
    }

    /** Enters a gang's charge at a queue, or takes it out when the sign is negative. */
    void enter(int queue, Charge charge, boolean isFirm, int sign) {
        enter(all, queue, charge, sign);
        if (isFirm) {
            enter(firm, queue, charge, sign);
        }
    }

    private static void enter(Ledger ledger, int queue, Charge charge, int sign) {
        if (sign > 0) {
            ledger.charge(queue, charge);
        } else {
            ledger.uncharge(queue, charge);
        }
    }

    /** Whether what is held leaves room for a charge of a queue. */
    boolean admits(int queue, Charge charge, boolean isFirm) {
        return all.admits(queue, charge) && (!isFirm || firm.admits(queue, charge));
    }

    /** Why what is held keeps a candidate out; null when it does not. */
    @Nullable
    Refusal refusal(Stake candidate) {
        Refusal refusal = all.refusal(candidate.queue(), candidate.charge());
        return refusal != null || !candidate.firm() ? refusal : firm.refusal(candidate.queue(), candidate.charge());
    }

    /** How much more a queue could hold in a dimension. */
    long available(int queue, int dim) {
        return all.available(queue, dim);
    }

    /** What a queue itself uses in a dimension. */
    long used(int queue, int dim) {
        return all.used(queue, dim);
    }

    /** A ledger that has too little left for a queue, in what is held or committed; null when there may be enough. */
    @Nullable
    Shut shut(Standing standing, int queue, Map<Integer, Long> least, boolean isFirm) {
        List<Ledger> ledgers = isFirm
                ? List.of(standing.committedFirm(), firm, standing.committed(), all)
                : List.of(standing.committed(), all);
        return ledgers.stream()
                .filter(ledger -> least.entrySet().stream()
                        .noneMatch(one -> ledger.available(queue, one.getKey()) >= one.getValue()))
                .findFirst()
                .map(ledger -> new Shut(ledger, queue, ledger.falls()))
                .orElse(null);
    }
}

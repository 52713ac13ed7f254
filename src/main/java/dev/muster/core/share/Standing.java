package dev.muster.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where everybody stands with what is committed: the two committed ledgers, demand, entitlement and cover, kept in step.
 *
 * <p>A gang is committed when it is admitted or claimed and released when it is told to stop or ends. Demand is the committed
 * charge and what {@link #want} adds for runnable waiting gangs; so an admission is {@code unwant}, then {@code commit}.
 * Entitlement is computed anew only in the dimensions that changed, cover only when something changed, both when asked for.
 * Not for use by several threads at once.
 */
public final class Standing {
    private final QuotaTree tree;
    private final Share share;
    private final Ledger committed;
    private final Ledger firm;
    private final Ledger demand;
    private final Ledger inEveryClass;
    private final Entitlement due;
    private final Entitlement dueWith;
    private final Cover cover;
    private final boolean[] stale;
    private boolean anyStale;
    private long changes;
    private boolean coverStale = true;
    private int[] coveredAt = new int[0];

    /** With nothing committed and nothing wanted. */
    public Standing(QuotaTree tree) {
        this.tree = tree;
        share = new Share(tree);
        committed = new Ledger(tree, LedgerKind.NORMAL);
        firm = new Ledger(tree, LedgerKind.FIRM);
        demand = new Ledger(tree, LedgerKind.NORMAL);
        inEveryClass = new Ledger(tree, LedgerKind.NORMAL);
        due = new Entitlement(tree);
        dueWith = new Entitlement(tree);
        cover = new Cover(tree);
        stale = new boolean[tree.dimensions().size()];
        Arrays.fill(stale, true);
        anyStale = true;
    }

    /** The quota that it is about. */
    public QuotaTree tree() {
        return tree;
    }

    /** What nodes have borrowed, for the ledgers of this tree. */
    public Share share() {
        return share;
    }

    /** Commits a gang, without asking whether it fits. */
    public void commit(Stake stake) {
        changes++;
        committed.charge(stake.queue(), stake.charge());
        if (stake.firm()) {
            firm.charge(stake.queue(), stake.charge());
        }
        cover.add(stake);
        want(stake.queue(), stake.charge(), stake.charge());
    }

    /** Releases a gang that was committed with the same values. */
    public void release(Stake stake) {
        changes++;
        cover.remove(stake);
        committed.uncharge(stake.queue(), stake.charge());
        if (stake.firm()) {
            firm.uncharge(stake.queue(), stake.charge());
        }
        unwant(stake.queue(), stake.charge(), stake.charge());
    }

    /**
     * Adds the demand of a runnable waiting gang.
     *
     * @param first its charge in its first feasible class
     * @param everyClass its charge in every class that it accepts
     */
    public void want(int queue, Charge first, Charge everyClass) {
        demand.charge(queue, first);
        inEveryClass.charge(queue, everyClass);
        touch(everyClass);
    }

    /** Takes back what was wanted with the same values. */
    public void unwant(int queue, Charge first, Charge everyClass) {
        demand.uncharge(queue, first);
        inEveryClass.uncharge(queue, everyClass);
        touch(everyClass);
    }

    private void touch(Charge charge) {
        for (int i = 0; i < charge.size(); i++) {
            stale[charge.dim(i)] = true;
        }
        anyStale = true;
        coverStale = true;
    }

    /** A number that rises with every gang that is committed or released. */
    public long changes() {
        return changes;
    }

    /** The committed charge of all gangs. */
    public Ledger committed() {
        return committed;
    }

    /** The committed charge of firm gangs, against the firm limits. */
    public Ledger committedFirm() {
        return firm;
    }

    /** Committed and wanted charge. */
    public Ledger demand() {
        return demand;
    }

    /** Whether quota lets a gang in: the committed ledger, and for a firm one the firm ledger too. */
    public boolean admits(Stake candidate) {
        return admits(candidate.queue(), candidate.charge(), candidate.firm());
    }

    /** The same of a charge of a queue. */
    public boolean admits(int queue, Charge charge, boolean isFirm) {
        return committed.admits(queue, charge) && (!isFirm || firm.admits(queue, charge));
    }

    /** Why quota does not let a gang in; null when it does. */
    public @Nullable Refusal refusal(Stake candidate) {
        Refusal refusal = committed.refusal(candidate.queue(), candidate.charge());
        return refusal != null || !candidate.firm() ? refusal : firm.refusal(candidate.queue(), candidate.charge());
    }

    /** What each queue is due now. */
    public Entitlement due() {
        if (anyStale) {
            for (int dim = 0; dim < stale.length; dim++) {
                if (stale[dim]) {
                    due.compute(dim, demand, inEveryClass, firm);
                    stale[dim] = false;
                }
            }
            anyStale = false;
        }
        return due;
    }

    /** The committed gangs by queue. */
    public Cover cover() {
        return cover;
    }

    /** Where each committed gang is covered, by slot; valid until the next change, and not to be written to. */
    public int[] coveredAt() {
        if (coverStale) {
            if (coveredAt.length < cover.slots(null)) {
                coveredAt = new int[Math.max(16, 2 * cover.slots(null))];
            }
            cover.compute(due(), null, coveredAt);
            coverStale = false;
        }
        return coveredAt;
    }

    /**
     * Where each committed gang and a candidate would be covered with the candidate committed last. A firm candidate changes
     * what is due. One that the firm ledger refuses is covered nowhere. Its demand must have been wanted before.
     */
    public int[] coveredWith(Stake candidate) {
        int[] with = new int[cover.slots(candidate)];
        if (!candidate.firm()) {
            cover.compute(due(), candidate, with);
            return with;
        }
        if (!firm.admits(candidate.queue(), candidate.charge())) {
            cover.compute(due(), null, with);
            return with;
        }
        dueWith.copy(due());
        firm.charge(candidate.queue(), candidate.charge());
        dueWith.compute(candidate.charge(), demand, inEveryClass, firm);
        firm.uncharge(candidate.queue(), candidate.charge());
        cover.compute(dueWith, candidate, with);
        return with;
    }
}

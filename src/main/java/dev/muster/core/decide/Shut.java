package dev.muster.core.decide;

import dev.muster.core.share.Ledger;

/**
 * That a ledger has too little left for anything that a queue wants. It stays so until use falls somewhere on the way from
 * the queue up, for nothing else can raise what is left; so nothing needs to be counted anew before.
 *
 * @param falls how often use had fallen when it was found
 */
public record Shut(Ledger ledger, int queue, long falls) {
    /** Whether it surely is still so. To be forgotten when policy changes. */
    public boolean holds() {
        return !ledger.hasFallenSince(queue, falls);
    }
}

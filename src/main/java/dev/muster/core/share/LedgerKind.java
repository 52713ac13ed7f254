package dev.muster.core.share;

/** Which limits a ledger counts against. */
public enum LedgerKind {
    /** Every gang, with the lending limits as declared. */
    NORMAL,
    /** Firm gangs only, with every lending limit replaced by the firm one: what cannot be taken back is not lent unasked. */
    FIRM
}

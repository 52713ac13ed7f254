package dev.muster.core.decide.evict;

/** Why a gang may not preempt. */
public enum NoEviction {
    /** It fits already. */
    FITS,
    /** It is firm and the firm ledger refuses it; no interruptible victim changes that. */
    FIRM_LEDGER,
    /** Its queue is not due what it asks. */
    NOT_COVERED,
    /** It would push a gang that is as close to its queue as itself out of cover, and may not stop that gang. */
    PUSHES_OTHERS,
    /** Nobody is running whom it may stop now. */
    NO_LEGAL_VICTIM,
    /** All legal victims together do not free enough quota. */
    NOT_ENOUGH_QUOTA,
    /** It would live on surplus and has not waited long enough for that. */
    SHARE_WAIT,
    /** It would live on surplus, and its side would end no lower than the victims' side. */
    SIDE_NOT_LOWER,
    /** All legal victims together do not free a place. */
    NO_PLACE
}

package dev.muster.core.share;

/**
 * What a gang puts into the policy's hands: its charge and all that its rank depends on.
 *
 * @param slot a small number of the caller's, unique among the gangs of one {@link Cover}; results are arrays by slot
 * @param uid the job's UID
 * @param queue number of its queue in the tree
 * @param firm whether it is not interruptible
 * @param priority base priority; higher goes first
 * @param size sum over resources of charge / capacity of the class, in any fixed unit; larger is covered first
 * @param admittedAt when it was admitted, in milliseconds since the epoch; {@link #CANDIDATE} for one that is not
 */
public record Stake(
        int slot, String uid, int queue, Charge charge, boolean firm, int priority, long size, long admittedAt) {
    /** The admission time of a gang that waits: later than that of all others. */
    public static final long CANDIDATE = Long.MAX_VALUE;

    /** Order of cover in a queue: firm, higher base priority, larger, earlier admission, UID. Negative when this is first. */
    public int compareInQueue(Stake other) {
        if (firm != other.firm) {
            return firm ? -1 : 1;
        }
        if (priority != other.priority) {
            return priority > other.priority ? -1 : 1;
        }
        if (size != other.size) {
            return size > other.size ? -1 : 1;
        }
        return compareByAdmission(other);
    }

    /** Order of cover above the queue: firm, earlier admission, UID. Negative when this is first. */
    public int compareAbove(Stake other) {
        if (firm != other.firm) {
            return firm ? -1 : 1;
        }
        return compareByAdmission(other);
    }

    private int compareByAdmission(Stake other) {
        int byTime = Long.compare(admittedAt, other.admittedAt);
        return byTime != 0 ? byTime : uid.compareTo(other.uid);
    }
}

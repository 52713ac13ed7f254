package dev.muster.core.share;

/**
 * Divides an amount among claimants by weighted max-min: all rise at a speed that is their weight, each stops at its room,
 * until the amount is used up. Parts are rounded down. Expected time is linear in the number of claimants; nothing is
 * allocated once the arrays are large enough.
 *
 * <p>The level at which the water stops is found as in quickselect:
 *
 * <ol>
 *   <li>Take the level at which some claimant would be full, and split the undecided ones into those that are full at it and
 *       those that are not.
 *   <li>If the amount suffices to raise everybody to that level, the first kind gets all of its room and is settled;
 *   <li>else the second kind and everyone who is exactly full at that level stay open and are settled.
 *   <li>When nobody is undecided, what is left is divided among the open ones by weight.
 * </ol>
 */
final class WaterFill {
    private long[] room = new long[16];
    private long[] weight = new long[16];
    private int[] undecided = new int[16];
    private int[] later = new int[16];
    private boolean[] full = new boolean[16];
    private int count;

    /** Starts anew for at most so many claimants. */
    void start(int claimants) {
        count = 0;
        if (room.length < claimants) {
            room = new long[claimants];
            weight = new long[claimants];
            undecided = new int[claimants];
            later = new int[claimants];
            full = new boolean[claimants];
        }
    }

    /** Adds the next claimant; room at least 0, weight at least 1. */
    void add(long roomOf, long weightOf) {
        room[count] = roomOf;
        weight[count] = weightOf;
        full[count++] = false;
    }

    /** Divides; afterwards {@link #room} holds each one's part. Returns what nobody had room for. */
    long divide(long amount) {
        long wanted = 0;
        for (int i = 0; i < count; i++) {
            wanted = Ratios.plus(wanted, room[i]);
        }
        if (wanted <= amount) {
            return amount - wanted;
        }
        divideScarce(amount);
        return 0;
    }

    private void divideScarce(long amount) {
        int open = count;
        for (int i = 0; i < count; i++) {
            undecided[i] = i;
        }
        long rest = amount;
        long openWeight = 0;
        while (open > 0) {
            int pivot = undecided[open >>> 1];
            long pivotRoom = room[pivot];
            long pivotWeight = weight[pivot];
            long roomBelow = 0;
            long weightAbove = openWeight;
            for (int i = 0; i < open; i++) {
                int one = undecided[i];
                if (Ratios.compare(room[one], weight[one], pivotRoom, pivotWeight) <= 0) {
                    roomBelow = Ratios.plus(roomBelow, room[one]);
                } else {
                    weightAbove += weight[one];
                }
            }
            boolean enough = roomBelow <= rest
                    && (weightAbove == 0 || Ratios.compare(pivotRoom, pivotWeight, rest - roomBelow, weightAbove) <= 0);
            int kept = 0;
            for (int i = 0; i < open; i++) {
                int one = undecided[i];
                int order = Ratios.compare(room[one], weight[one], pivotRoom, pivotWeight);
                if (enough && order <= 0) {
                    full[one] = true;
                    rest -= room[one];
                } else if (!enough && order >= 0) {
                    openWeight += weight[one];
                } else {
                    later[kept++] = one;
                }
            }
            int[] swap = undecided;
            undecided = later;
            later = swap;
            open = kept;
        }
        for (int i = 0; i < count; i++) {
            room[i] = full[i] ? room[i] : Ratios.portion(weight[i], rest, openWeight);
        }
    }

    /** The part of a claimant, in the order of adding; before dividing, its room. */
    long part(int claimant) {
        return room[claimant];
    }
}

package dev.muster.core.share;

/**
 * What a node of the quota tree has borrowed in the past, forgotten by half in each half-life.
 *
 * <p>Time runs in epochs of halfLife/64. Within an epoch the share is added up second by second; at its end what was added
 * joins the history and the history decays by 2^(-1/64): H becomes (H + x) * 64830 / 65536, rounded down. The mean is taken
 * at the start of an epoch, so order does not change by the mere passing of seconds, and the four numbers are all that must
 * be kept to go on after a restart. Whoever stays within what it has adds nothing.
 *
 * @param epoch number of the epoch that {@code second} is in, counted from second 0
 * @param history H at the start of that epoch, in share units times seconds
 * @param added x: what has been added since the start of that epoch
 * @param second up to when it is added up, in seconds since the epoch of time, at least 0
 */
public record PastUse(long epoch, long history, long added, long second) {
    /** The largest share that counts: 16 times what the parent can lend. */
    public static final long MOST = 1L << 24;

    private static final long DECAY = 64_830;
    private static final long LN_2 = 45_426;

    /** No history, counting from a second on. */
    public static PastUse startingAt(long second, long halfLife) {
        return new PastUse(second / epochLength(halfLife), 0, 0, second);
    }

    /**
     * Counts a share that held from {@link #second} until now. A time that is not later changes nothing.
     *
     * @param share in units of 2^-20; more than {@link #MOST} counts as that
     * @param halfLife in seconds, at least 64; when it has changed, the history goes on in the new epochs
     */
    public PastUse until(long now, long share, long halfLife) {
        if (now <= second) {
            return this;
        }
        long length = epochLength(halfLife);
        long counted = Math.min(share, MOST);
        long target = now / length;
        long here = second / length;
        long h = history;
        long x = added;
        long from = second;
        while (here < target) {
            long end = (here + 1) * length;
            long next = decayed(h + x + counted * (end - from));
            boolean settled = next == h && x == 0 && end - from == length;
            h = next;
            x = 0;
            from = settled ? target * length : end;
            here = settled ? target : here + 1;
        }
        return new PastUse(target, h, x + counted * (now - from), now);
    }

    /** The mean share of the past as of the start of the epoch, in units of 2^-20: H * ln 2 / halfLife, rounded down. */
    public long mean(long halfLife) {
        return times65536ths(history, LN_2) / halfLife;
    }

    private static long epochLength(long halfLife) {
        if (halfLife < 64) {
            throw new IllegalArgumentException("the half-life is " + halfLife + " s; need at least 64 s");
        }
        return halfLife / 64;
    }

    private static long decayed(long h) {
        return times65536ths(h, DECAY);
    }

    private static long times65536ths(long value, long factor) {
        return (value >> 16) * factor + ((value & 0xffff) * factor >> 16);
    }
}

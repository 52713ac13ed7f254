package dev.muster.engine;

/** The lengths 60, 85, 120, 170, 240, 339, 480 ... seconds: half powers of two, by which expected run times are compared. */
final class HalfPowers {
    private static final long SHORTEST = 60_000;
    /** 85/60 and so on: 2^20 * sqrt(2), rounded. */
    private static final long ROOT_OF_TWO = 1_482_910;

    private HalfPowers() {}

    /** The shortest of them that is not below {@code millis}, in milliseconds; at least 60 s. */
    static long roundUp(long millis) {
        long whole = SHORTEST;
        while (whole < millis && whole < 1L << 49) {
            long half = (whole * (ROOT_OF_TWO >> 10) >> 10) / 1_000 * 1_000;
            if (half >= millis) {
                return half;
            }
            whole *= 2;
        }
        return whole;
    }
}

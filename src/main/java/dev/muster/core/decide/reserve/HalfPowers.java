package dev.muster.core.decide.reserve;

/**
 * The lengths 60, 85, 120, 170, 240, 339, 480 ... seconds: half powers of two, by which expected run times are compared and
 * counted.
 */
public final class HalfPowers {
    /** In seconds. */
    private static final long SHORTEST = 60;
    /** 2^20 * sqrt(2), rounded. */
    private static final long ROOT_OF_TWO = 1_482_910;
    /** How many lengths there are. */
    static final int COUNT = 64;

    private HalfPowers() {}

    /** The shortest of them that is not below {@code millis}, in milliseconds; at least 60 s. */
    public static long roundUp(long millis) {
        return at(indexOf(millis));
    }

    /** Which of them {@link #roundUp} gives, 0 to {@link #COUNT} - 1. */
    static int indexOf(long millis) {
        int index = 0;
        while (index < COUNT - 1 && at(index) < millis) {
            index++;
        }
        return index;
    }

    /** One of them, in milliseconds; whole seconds. */
    static long at(int index) {
        long whole = SHORTEST << (index / 2);
        return 1_000 * (index % 2 == 0 ? whole : (whole * ROOT_OF_TWO + (1L << 19)) >> 20);
    }
}

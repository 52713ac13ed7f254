package dev.muster.core.share;

/**
 * Exact arithmetic on non-negative fractions of {@code long}s, with 128-bit products where they are needed. Amounts that
 * are too large to count stop at {@link Long#MAX_VALUE}, which stands for "without limit".
 */
public final class Ratios {
    private static final long SMALL = 1L << 31;

    private Ratios() {}

    /** The sum; {@link Long#MAX_VALUE} when it does not fit. Neither is negative. */
    public static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** How {@code a / b} compares with {@code c / d}: negative when it is less. All at least 0; b and d at least 1. */
    public static int compare(long a, long b, long c, long d) {
        if ((a | b | c | d) < SMALL) {
            return Long.compare(a * d, c * b);
        }
        int high = Long.compare(Math.multiplyHigh(a, d), Math.multiplyHigh(c, b));
        return high != 0 ? high : Long.compareUnsigned(a * d, c * b);
    }

    /** {@code part * total / whole}, rounded down; part at most {@code whole} and 2^20, whole at least 1 and below 2^43. */
    public static long portion(long part, long total, long whole) {
        return part * (total / whole) + part * (total % whole) / whole;
    }

    /** {@code a * 2^shift / b}, rounded up, at most {@code most}; a at least 0, b at least 1. */
    public static long scaledUp(long a, long b, int shift, long most) {
        if (a < SMALL && shift <= 31) {
            long scaled = a << shift;
            return Math.min(most, scaled / b + (scaled % b == 0 ? 0 : 1));
        }
        long quotient = a / b;
        long rest = a % b;
        for (int i = 0; i < shift; i++) {
            if (quotient >= most) {
                return most;
            }
            rest <<= 1;
            boolean one = Long.compareUnsigned(rest, b) >= 0;
            rest -= one ? b : 0;
            quotient = (quotient << 1) + (one ? 1 : 0);
        }
        return Math.min(most, quotient + (rest == 0 ? 0 : 1));
    }
}

package dev.muster.core.decide;

/** A part of a whole, compared exactly: {@code used / of}. With {@code of} 0 it is above every finite load, unless used is 0 too. */
public record Load(long used, long of) implements Comparable<Load> {
    /** No load. */
    public static final Load NONE = new Load(0, 1);

    @Override
    public int compareTo(Load other) {
        long high = Math.multiplyHigh(used, other.of);
        long otherHigh = Math.multiplyHigh(other.used, of);
        return high != otherHigh
                ? Long.compare(high, otherHigh)
                : Long.compareUnsigned(used * other.of, other.used * of);
    }
}

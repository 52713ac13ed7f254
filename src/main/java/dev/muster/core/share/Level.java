package dev.muster.core.share;

/**
 * How full a node is, to compare the two sides of a preemption: U/S - 1 while it is below S, else share / weight. It is
 * always at least -1; everything below S comes before everything at or above S.
 *
 * @param below whether it is below S; then the fraction is U/S, else it is share / weight
 * @param numerator at least 0
 * @param denominator at least 0; 0 stands for a weight of 0 and makes the level higher than all others
 */
public record Level(boolean below, long numerator, long denominator) implements Comparable<Level> {
    /** Exactly at S: nothing left and nothing borrowed. */
    static final Level AT_QUOTA = new Level(false, 0, 1);

    @Override
    public int compareTo(Level other) {
        if (below != other.below) {
            return below ? -1 : 1;
        }
        if (denominator == 0 || other.denominator == 0) {
            return Boolean.compare(denominator == 0, other.denominator == 0);
        }
        return Ratios.compare(numerator, denominator, other.numerator, other.denominator);
    }
}

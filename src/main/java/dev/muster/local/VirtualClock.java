package dev.muster.local;

import java.util.function.LongSupplier;

/** A clock that runs so many times as fast as the one it is driven by. */
public final class VirtualClock {
    private final long start;
    private final double speed;
    private final LongSupplier nanos;
    private final long startNanos;

    /**
     * A clock that shows {@code start} now.
     *
     * @param start milliseconds since the epoch
     * @param speed virtual seconds in one real second, above 0
     * @param nanos the driving clock, such as {@code System::nanoTime}
     */
    public VirtualClock(long start, double speed, LongSupplier nanos) {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("the speed of local time is " + speed + ". Maybe 600: an hour in 6 s");
        }
        this.start = start;
        this.speed = speed;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
    }

    /** Virtual milliseconds since the epoch. */
    public long now() {
        return start + (long) ((nanos.getAsLong() - startNanos) / 1_000_000.0 * speed);
    }

    /** Virtual seconds in one real second. */
    public double speed() {
        return speed;
    }
}

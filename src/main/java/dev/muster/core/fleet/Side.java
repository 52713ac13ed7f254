package dev.muster.core.fleet;

/** The two sets of bookings; room must suffice for each by itself. */
public enum Side {
    /** What really occupies nodes: running and stopping members, and foreign pods. */
    HELD,
    /** What will: running and claimed, but not what is stopping. */
    COMMITTED
}

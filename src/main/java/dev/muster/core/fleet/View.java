package dev.muster.core.fleet;

/** Which bookings count when room is looked for. */
public enum View {
    /** Room for a start now: free of what really occupies a node, and of what is claimed. */
    NOW,
    /** Room once everything that is stopping has left: free of what is committed. */
    LATER,
    /** Room at a time to come, as {@link Outlook} has set it last. */
    THEN
}

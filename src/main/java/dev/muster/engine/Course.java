package dev.muster.engine;

import dev.muster.core.model.Waiting;
import org.jspecify.annotations.Nullable;

/** What an engine has seen of one admission of a gang while it lasts. Times in milliseconds since the epoch. */
final class Course {
    /** Whether all of its needed members were ready once. */
    boolean ran;
    /** Since when a member is missing that had been there; 0 while none is. */
    long shortSince;
    /** How many members had ended well when it was looked at last. */
    int done;
    /** Since when something is wrong that rarely passes; 0 while nothing is. */
    long troubledSince;
    /** Since when some member that starts is on no node; 0 while each is on one. */
    long unboundSince;
    /** Whether each member was on a node at some time while it started. */
    boolean wasBound;
    /** When time alone may change what is to be done with it. */
    long again = Long.MAX_VALUE;
    /** What is wrong with it now; null when nothing is. */
    @Nullable
    Waiting trouble;
    /** When its pods say that its work was saved last; 0 when they do not. */
    long saved;
}

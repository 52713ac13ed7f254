package dev.muster.core.decide.reserve;

import java.util.Map;

/**
 * A gang that is on a class, or has claimed a place there.
 *
 * @param since when it came, in milliseconds since the epoch
 * @param end when it will have left; {@link Long#MAX_VALUE} when that is not known
 * @param sure whether it is made to leave by then, if it does not by itself
 * @param held what it holds, by node, over the fleet's resources
 * @param committed what it is committed to, by node
 */
public record Occupant(
        String uid, long since, long end, boolean sure, Map<String, long[]> held, Map<String, long[]> committed)
        implements Comparable<Occupant> {
    /** The same with another end. */
    public Occupant endingAt(long other) {
        return new Occupant(uid, since, other, sure, held, committed);
    }

    /** Order by end, then UID. */
    @Override
    public int compareTo(Occupant other) {
        return end != other.end ? Long.compare(end, other.end) : uid.compareTo(other.uid);
    }
}

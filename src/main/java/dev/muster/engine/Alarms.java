package dev.muster.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Times at which gangs have to be looked at again. */
final class Alarms {
    private final TreeSet<Alarm> alarms = new TreeSet<>();

    private record Alarm(long at, String uid) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            return at != other.at ? Long.compare(at, other.at) : uid.compareTo(other.uid);
        }
    }

    /** The gang is to be looked at then, in milliseconds since the epoch, whatever else is set for it. */
    void set(long at, String uid) {
        alarms.add(new Alarm(at, uid));
    }

    /** UIDs of the gangs whose times have come, the earliest first; they are forgotten here. */
    List<String> due(long now) {
        List<String> due = new ArrayList<>();
        while (!alarms.isEmpty() && alarms.first().at <= now) {
            due.add(alarms.pollFirst().uid);
        }
        return due;
    }

    /** The next time; {@link Long#MAX_VALUE} when there is none. */
    long next() {
        return alarms.isEmpty() ? Long.MAX_VALUE : alarms.first().at;
    }
}

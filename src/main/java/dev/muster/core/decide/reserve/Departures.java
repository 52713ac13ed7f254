package dev.muster.core.decide.reserve;

import dev.muster.core.fleet.Fleet;
import dev.muster.core.fleet.Outlook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who leaves a class when, as far as that is known. A change costs O(log of the gangs + nodes of the gang). */
public final class Departures {
    private final Map<String, Occupant> byUid = new HashMap<>();
    private final TreeSet<Occupant> byEnd = new TreeSet<>();
    private final Map<String, List<Occupant>> byNode = new HashMap<>();

    /** A gang is there, in place of what was known of it. */
    public void put(Occupant occupant) {
        remove(occupant.uid());
        byUid.put(occupant.uid(), occupant);
        byEnd.add(occupant);
        occupant.held().keySet().forEach(node -> enter(node, occupant));
        occupant.committed().keySet().stream()
                .filter(node -> !occupant.held().containsKey(node))
                .forEach(node -> enter(node, occupant));
    }

    private void enter(String node, Occupant occupant) {
        List<Occupant> there = byNode.computeIfAbsent(node, n -> new ArrayList<>(8));
        int at = Collections.binarySearch(there, occupant);
        there.add(at < 0 ? -at - 1 : at, occupant);
    }

    /** A gang is gone. Returns whether it was there. */
    public boolean remove(String uid) {
        Occupant gone = byUid.remove(uid);
        if (gone == null) {
            return false;
        }
        byEnd.remove(gone);
        gone.held().keySet().forEach(node -> leave(node, gone));
        gone.committed().keySet().forEach(node -> leave(node, gone));
        return true;
    }

    private void leave(String node, Occupant gone) {
        List<Occupant> there = byNode.get(node);
        if (there != null && there.remove(gone) && there.isEmpty()) {
            byNode.remove(node);
        }
    }

    /** All, the first to leave first. */
    public Iterable<Occupant> byEnd() {
        return byEnd;
    }

    /** Those that leave after this one, the first to leave first; all when it is null. */
    Iterable<Occupant> after(@Nullable Occupant last) {
        return last == null ? byEnd : byEnd.tailSet(last, false);
    }

    /** When the first leaves; {@link Long#MAX_VALUE} when none is known to. */
    public long nextEnd() {
        return byEnd.isEmpty() ? Long.MAX_VALUE : byEnd.first().end();
    }

    /** Those whose ends have come. */
    public List<Occupant> endedBy(long at) {
        List<Occupant> ended = new ArrayList<>();
        for (Occupant occupant : byEnd) {
            if (occupant.end() > at) {
                break;
            }
            ended.add(occupant);
        }
        return ended;
    }

    /** What a node will be used of each resource at a time. */
    long[] used(Fleet fleet, String node, long at) {
        long[] held = {};
        long[] committed = {};
        for (Occupant occupant : byNode.getOrDefault(node, List.of())) {
            if (occupant.end() > at) {
                break;
            }
            held = plus(held, occupant.held().get(node));
            committed = plus(committed, occupant.committed().get(node));
        }
        return Outlook.usedWithout(fleet, node, held, committed);
    }

    /** Those who will surely have left by a time, and these. */
    Set<Occupant> surelyGone(Collection<Occupant> these, long by) {
        Set<Occupant> gone = new LinkedHashSet<>(these);
        for (Occupant occupant : byEnd) {
            if (occupant.end() > by) {
                break;
            }
            if (occupant.sure()) {
                gone.add(occupant);
            }
        }
        return gone;
    }

    /** What a node is used of each resource when these have gone. */
    static long[] usedWithout(Fleet fleet, String node, Collection<Occupant> gone) {
        long[] held = {};
        long[] committed = {};
        for (Occupant occupant : gone) {
            held = plus(held, occupant.held().get(node));
            committed = plus(committed, occupant.committed().get(node));
        }
        return Outlook.usedWithout(fleet, node, held, committed);
    }

    /** What gangs that are committed to a node will have given back there by a time, but for these. */
    long[] givenBack(String node, long at, Set<String> besides) {
        long[] sum = {};
        for (Occupant occupant : byNode.getOrDefault(node, List.of())) {
            if (occupant.end() > at) {
                break;
            }
            sum = besides.contains(occupant.uid())
                    ? sum
                    : plus(sum, occupant.committed().get(node));
        }
        return sum;
    }

    /** What is known of a gang; null when it is not here. */
    public @Nullable Occupant get(String uid) {
        return byUid.get(uid);
    }

    /** The sum of two amounts; the second may be missing. */
    static long[] plus(long[] one, long @Nullable [] other) {
        if (other == null) {
            return one;
        }
        long[] sum = Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int i = 0; i < other.length; i++) {
            sum[i] += other[i];
        }
        return sum;
    }
}

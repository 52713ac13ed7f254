package dev.muster.engine;

import dev.muster.core.model.Gang;
import dev.muster.core.model.Queue;
import dev.muster.core.model.QueueTerms;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting gangs of one queue take part: of those that keep its terms, the first {@code maxPending} in the order of
 * submission. The others stand outside the lanes, want nothing and hold nothing, until one before them leaves or the terms
 * change.
 *
 * <p>Each coming and going costs O(log n); without a {@code maxPending} nothing is kept of those that take part.
 */
final class Intake {
    private final List<Queue> path;
    private final Set<String> gpuResources;
    private final OptionalInt most;
    private final TreeSet<GangEntry> inside = new TreeSet<>();
    private final SortedRun<GangEntry> beyond = new SortedRun<>();
    private final Set<GangEntry> barred = new LinkedHashSet<>();

    /**
     * An empty one.
     *
     * @param path the queue and those above it; empty when it is not in the tree
     * @param gpuResources what some node class names as its GPU
     */
    Intake(List<Queue> path, Set<String> gpuResources) {
        this.path = path;
        this.gpuResources = gpuResources;
        most = path.isEmpty() ? OptionalInt.empty() : path.get(0).limits().maxPending();
    }

    /** Whether these queues demand the same, with these resources as GPUs. */
    boolean demandsTheSameAs(List<Queue> others, Set<String> gpus) {
        if (path.size() != others.size() || !gpuResources.equals(gpus)) {
            return false;
        }
        for (int i = 0; i < path.size(); i++) {
            Queue one = path.get(i);
            Queue other = others.get(i);
            if (!one.name().equals(other.name())
                    || !one.limits().equals(other.limits())
                    || one.unspecific() != other.unspecific()) {
                return false;
            }
        }
        return true;
    }

    /**
     * A gang that does not take part yet comes. Returns who has to stand outside for it: the gang itself, or a younger one
     * that took part; null when nobody.
     */
    @Nullable
    GangEntry enter(GangEntry entry, Gang gang) {
        forget(entry);
        if (!new QueueTerms(path, gpuResources).broken(gang).isEmpty()) {
            barred.add(entry);
            return entry;
        }
        if (most.isEmpty()) {
            return null;
        }
        inside.add(entry);
        if (inside.size() <= most.getAsInt()) {
            return null;
        }
        GangEntry youngest = inside.last();
        inside.remove(youngest);
        beyond.add(youngest);
        return youngest;
    }

    /** A gang that took part leaves. Returns who takes part from now on in its stead; null when nobody. */
    @Nullable
    GangEntry leave(GangEntry entry) {
        if (!inside.remove(entry) || beyond.isEmpty()) {
            return null;
        }
        GangEntry next = beyond.first();
        beyond.remove(next);
        inside.add(next);
        return next;
    }

    /** Whether some gang is counted. */
    boolean counts() {
        return !inside.isEmpty();
    }

    /** A gang that stands outside leaves; harmless when it does not. */
    void forget(GangEntry entry) {
        beyond.remove(entry);
        barred.remove(entry);
    }

    /** Who stands outside, so many at most: those beyond in order, then the barred ones. */
    List<GangEntry> outside(int limit) {
        List<GangEntry> outside = new ArrayList<>();
        for (int i = 0; i < beyond.size() && i < limit; i++) {
            outside.add(beyond.get(i));
        }
        barred.stream().limit(limit - outside.size()).forEach(outside::add);
        return outside;
    }

    int outsideCount() {
        return beyond.size() + barred.size();
    }

    boolean isEmpty() {
        return inside.isEmpty() && beyond.isEmpty() && barred.isEmpty();
    }

    boolean isOutside(GangEntry entry) {
        return barred.contains(entry) || beyond.contains(entry);
    }

    /** Whether it stands outside only because too many are before it. */
    boolean isBeyond(GangEntry entry) {
        return beyond.contains(entry);
    }

    /** Gangs that are counted, or stand outside, and come before this one, which may be a newcomer. */
    int countBefore(GangEntry entry) {
        return inside.size() + beyond.countBefore(entry);
    }

    /** Why a gang stands outside, or would as a newcomer, for want of a place among the pending; null when it does not. */
    @Nullable
    Waiting full(GangEntry entry) {
        if (most.isEmpty() || inside.size() < most.getAsInt() || inside.contains(entry)) {
            return null;
        }
        Queue queue = path.get(0);
        int ahead = beyond.countBefore(entry);
        return new Waiting(
                Reason.QUEUE_FULL,
                "Queue " + queue.name() + " already has " + inside.size() + " of " + most.getAsInt()
                        + " pending gangs, and " + ahead + (ahead == 1 ? " more is" : " more are")
                        + " before this one.",
                "It takes part as soon as gangs before it have started or are deleted; the queue's owner, "
                        + queue.owner() + ", can raise limits.maxPending.");
    }
}

package dev.muster.core.fleet;

import dev.muster.core.model.Amounts;
import dev.muster.core.model.LabelDemand;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeTerm;
import dev.muster.core.model.PodSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one class that do not exist yet, given to gangs that only they can serve.
 *
 * <p>Steps for one gang: (1) podsets with the largest members go first; (2) members go to the nodes that exist, judged on
 * the most that each ever offered, as if nobody else ran there; (3) the rest goes to new nodes of the declared shape, first
 * those that earlier gangs have not filled; (4) all or nothing, and never more nodes than the class may still get. Amounts
 * that the shape does not name are taken to suffice, but for devices; labels that the class's selector does not name are
 * taken to be there. So it errs towards waiting, not towards a wrong "never".
 */
public final class Growth {
    private static final long[] NOTHING = {};

    private final ResourceIndex resources;
    private final @Nullable ClassFleet of;
    private final NodeClass.@Nullable Scaling scaling;
    private final long room;
    /** What is taken of each new node. */
    private final List<long[]> opened = new ArrayList<>();

    /** No new node yet. */
    public Growth(Fleet fleet, String className) {
        resources = fleet.resources();
        of = fleet.fleetOf(className);
        scaling = of == null ? null : of.nodeClass.scaling();
        long present = of == null ? 0 : of.nodes().size();
        room = scaling == null
                ? 0
                : scaling.maxNodes().isEmpty()
                        ? Integer.MAX_VALUE
                        : Math.max(0, scaling.maxNodes().getAsInt() - present);
    }

    /**
     * New nodes without which a gang can never run in a class: 0 when the nodes that exist would do if they were well and
     * empty, or when that is not certain; -1 when no new nodes can help.
     */
    public static int needed(Fleet fleet, String className, List<PodSet> podsets) {
        ClassFleet of = fleet.fleetOf(className);
        if (of == null || of.nodeClass.scaling() == null) {
            return Placer.fitsWhenEmpty(fleet, className, podsets) ? 0 : -1;
        }
        if (!of.nodes().isEmpty() && Placer.fitsWhenEmpty(fleet, className, podsets)) {
            return 0;
        }
        Growth growth = new Growth(fleet, className);
        return growth.take(podsets) ? growth.nodes() : -1;
    }

    /** New nodes so far. */
    public int nodes() {
        return opened.size();
    }

    /** Gives a gang its place beside all before. Returns whether the class may grow so far; otherwise nothing is given. */
    public boolean take(List<PodSet> podsets) {
        List<PodSet> order = new ArrayList<>(podsets);
        ClassFleet fleet = of;
        if (fleet == null) {
            return false;
        }
        order.sort(Comparator.comparingLong(
                        (PodSet podset) -> podset.shape().requests().get(fleet.nodeClass.resource()))
                .reversed());
        Map<Integer, long[]> present = new HashMap<>();
        List<long[]> bins = new ArrayList<>();
        opened.forEach(bin -> bins.add(bin.clone()));
        for (PodSet podset : order) {
            long[] request = resources.vector(podset.shape().requests());
            int left = onPresent(fleet, podset, request, present);
            if (!onNew(podset, request, left, bins)) {
                return false;
            }
        }
        opened.clear();
        opened.addAll(bins);
        return true;
    }

    /** Returns the members that are left. */
    private static int onPresent(ClassFleet fleet, PodSet podset, long[] request, Map<Integer, long[]> taken) {
        BitSet accepted = fleet.accepted(podset.shape());
        int left = podset.count();
        for (int rank = accepted.nextSetBit(0); rank >= 0 && left > 0; rank = accepted.nextSetBit(rank + 1)) {
            long[] declared = fleet.nodes().get(rank).declared;
            long[] here = taken.getOrDefault(rank, NOTHING);
            long times = left;
            for (int i = 0; i < request.length && times > 0; i++) {
                if (request[i] > 0) {
                    times = Math.min(times, Math.max(0, Vectors.at(declared, i) - Vectors.at(here, i)) / request[i]);
                }
            }
            if (times > 0) {
                taken.put(rank, plus(here, request, times));
                left -= (int) times;
            }
        }
        return left;
    }

    private boolean onNew(PodSet podset, long[] request, int members, List<long[]> bins) {
        int left = members;
        for (int i = 0; i < bins.size() && left > 0; i++) {
            long times = times(bins.get(i), request, left);
            bins.set(i, plus(bins.get(i), request, times));
            left -= (int) times;
        }
        if (left == 0) {
            return true;
        }
        long each = times(NOTHING, request, left);
        if (each == 0 || !suits(podset)) {
            return false;
        }
        while (left > 0) {
            if (bins.size() >= room) {
                return false;
            }
            long here = Math.min(each, left);
            bins.add(plus(NOTHING, request, here));
            left -= (int) here;
        }
        return true;
    }

    private long times(long[] taken, long[] request, int limit) {
        long times = limit;
        for (int i = 0; i < request.length && times > 0; i++) {
            if (request[i] > 0 && isBounded(i)) {
                times = Math.min(times, Math.max(0, offered(i) - Vectors.at(taken, i)) / request[i]);
            }
        }
        return times;
    }

    private boolean isBounded(int resource) {
        String name = resources.name(resource);
        return Amounts.isDevice(name) || offered(resource) > 0;
    }

    private long offered(int resource) {
        return scaling == null ? 0 : scaling.shape().get(resources.name(resource));
    }

    private static long[] plus(long[] taken, long[] request, long times) {
        long[] sum = new long[Math.max(taken.length, request.length)];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Vectors.at(taken, i) + Vectors.at(request, i) * times;
        }
        return sum;
    }

    /** Whether a new node, of which only the class's labels are known, may suit the members. */
    private boolean suits(PodSet podset) {
        List<NodeTerm> terms = podset.shape().terms();
        return terms.isEmpty()
                || terms.stream()
                        .anyMatch(term ->
                                term.names().isEmpty() && term.labels().stream().allMatch(this::mayBeMet));
    }

    private boolean mayBeMet(LabelDemand demand) {
        Map<String, String> known = of == null ? Map.of() : of.nodeClass.selector();
        return !known.containsKey(demand.key()) || demand.accepts(known);
    }
}

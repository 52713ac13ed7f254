package dev.muster.core.fleet;

import dev.muster.core.fleet.Finding.Cause;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.PodSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Searches one class for a place that holds every member of a gang at once.
 *
 * <p>Steps: (1) podsets with the largest members go first; (2) a podset that fits on one node goes to the fullest such
 * node; (3) else nodes are filled from the fullest upward, so that whole-node members meet empty nodes and small holes
 * are used up first; (4) among equally full nodes firm gangs take names from the front, interruptible ones from the back,
 * so that quota which can be taken back also has a place that can be taken back. For gangs of one pod shape the search is
 * complete: it finds a place whenever there is one.
 *
 * <p>Cost: one bit-set scan per number of free GPUs, stopped as soon as all members are placed.
 */
public final class Placer {
    private final ClassFleet fleet;
    private final ResourceIndex resources;
    private final boolean fromBack;
    /** What earlier podsets of the same gang take, by node rank. */
    private final Map<Integer, long[]> taken = new HashMap<>();

    private Placer(ClassFleet fleet, ResourceIndex resources, boolean fromBack) {
        this.fleet = fleet;
        this.resources = resources;
        this.fromBack = fromBack;
    }

    /**
     * Searches the class for a place for all podsets together. Nothing is booked.
     *
     * @param interruptible which end of the class to pack from
     */
    public static Finding find(Fleet fleet, String className, List<PodSet> podsets, boolean interruptible) {
        ClassFleet of = fleet.fleetOf(className);
        if (of == null || of.nodes().isEmpty()) {
            PodSet first = podsets.get(0);
            return new Finding.Shortfall(Cause.NO_NODES, first.name(), first.count(), 0, 0, 0, 0, 0, "");
        }
        return new Placer(of, fleet.resources(), interruptible).find(podsets);
    }

    private Finding find(List<PodSet> podsets) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < podsets.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingLong((Integer i) -> gpusPerMember(podsets.get(i)))
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        Map<Integer, List<NodeSlots>> places = new TreeMap<>();
        for (int i : order) {
            PodSet podset = podsets.get(i);
            long[] request = resources.vector(podset.shape().requests());
            BitSet accepted = fleet.accepted(podset.shape());
            Map<Integer, Integer> slots = onOneNode(podset.count(), request, accepted);
            if (slots.isEmpty()) {
                slots = spread(podset.count(), request, accepted);
            }
            int placed = slots.values().stream().mapToInt(Integer::intValue).sum();
            if (placed < podset.count()) {
                return shortfall(podset, request, accepted, placed);
            }
            take(slots, request);
            places.put(i, inRankOrder(slots));
        }
        return new Finding.Place(List.copyOf(places.values()));
    }

    private long gpusPerMember(PodSet podset) {
        return podset.shape().requests().get(fleet.nodeClass.resource());
    }

    /** Step 2: the fullest node that holds all members, if any. */
    private Map<Integer, Integer> onOneNode(int members, long[] request, BitSet accepted) {
        long gpus = Vectors.at(request, fleet.gpu);
        if (members == 1 || gpus > fleet.buckets() / members) {
            return Map.of();
        }
        for (int free = (int) gpus * members; free < fleet.buckets(); free++) {
            for (int rank = first(free); rank >= 0; rank = next(free, rank)) {
                if (accepted.get(rank) && fits(rank, request, members) == members) {
                    return Map.of(rank, members);
                }
            }
        }
        return Map.of();
    }

    /** Step 3: from the fullest node upward, until all members are placed. */
    private Map<Integer, Integer> spread(int members, long[] request, BitSet accepted) {
        Map<Integer, Integer> slots = new TreeMap<>();
        int left = members;
        long gpus = Vectors.at(request, fleet.gpu);
        for (int free = (int) Math.min(gpus, fleet.buckets()); free < fleet.buckets() && left > 0; free++) {
            for (int rank = first(free); rank >= 0 && left > 0; rank = next(free, rank)) {
                int fitting = accepted.get(rank) ? fits(rank, request, left) : 0;
                if (fitting > 0) {
                    slots.put(rank, fitting);
                    left -= fitting;
                }
            }
        }
        return slots;
    }

    private int first(int free) {
        BitSet bucket = fleet.bucket(free);
        return fromBack ? bucket.length() - 1 : bucket.nextSetBit(0);
    }

    private int next(int free, int rank) {
        BitSet bucket = fleet.bucket(free);
        if (fromBack) {
            return rank == 0 ? -1 : bucket.previousSetBit(rank - 1);
        }
        return bucket.nextSetBit(rank + 1);
    }

    private int fits(int rank, long[] request, int limit) {
        FleetNode node = fleet.nodes().get(rank);
        long[] mine = taken.get(rank);
        long[] booked = mine == null ? node.booked : Vectors.add(node.booked.clone(), mine, 1);
        return Vectors.times(node.allocatable, booked, request, limit);
    }

    private void take(Map<Integer, Integer> slots, long[] request) {
        slots.forEach((rank, members) -> {
            long[] mine = taken.getOrDefault(rank, new long[request.length]);
            for (int i = 0; i < members; i++) {
                mine = Vectors.add(mine, request, 1);
            }
            taken.put(rank, mine);
        });
    }

    /** Rank order follows topology, widest level first, then names. */
    private List<NodeSlots> inRankOrder(Map<Integer, Integer> slots) {
        List<Integer> ranks = new ArrayList<>(slots.keySet());
        Comparator<Integer> order = (a, b) -> 0;
        for (String level : fleet.nodeClass.topology()) {
            order = order.thenComparing(rank -> label(rank, level));
        }
        ranks.sort(order.thenComparing(Comparator.naturalOrder()));
        return ranks.stream()
                .map(rank -> new NodeSlots(fleet.nodes().get(rank).name, slots.getOrDefault(rank, 0)))
                .toList();
    }

    private String label(int rank, String key) {
        return fleet.nodes().get(rank).known().labels().getOrDefault(key, "");
    }

    /** Finds out, only now that the search failed, what was missing. */
    private Finding.Shortfall shortfall(PodSet podset, long[] request, BitSet accepted, int placed) {
        long gpus = Vectors.at(request, fleet.gpu);
        long free = 0;
        int usable = 0;
        int roomForGpus = 0;
        for (int rank = accepted.nextSetBit(0); rank >= 0; rank = accepted.nextSetBit(rank + 1)) {
            FleetNode node = fleet.nodes().get(rank);
            if (node.isUsable()) {
                usable++;
                free += node.free(fleet.gpu);
                roomForGpus += gpus == 0 ? podset.count() : (int) Math.min(podset.count(), node.free(fleet.gpu) / gpus);
            }
        }
        Cause cause;
        if (accepted.isEmpty()) {
            cause = Cause.NONE_ACCEPTS;
        } else if (gpus > 0 && free < gpus * podset.count()) {
            cause = Cause.TOO_FEW_GPUS;
        } else if (roomForGpus < podset.count()) {
            cause = Cause.SCATTERED;
        } else {
            cause = Cause.OTHER_RESOURCE;
        }
        return new Finding.Shortfall(
                cause,
                podset.name(),
                podset.count(),
                gpus,
                placed,
                free,
                accepted.cardinality(),
                usable,
                cause == Cause.OTHER_RESOURCE ? scarcest(podset.count(), request, accepted) : "");
    }

    /** The resource, other than the GPU, of which the fewest members could be served. */
    private String scarcest(int members, long[] request, BitSet accepted) {
        String scarcest = "";
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < request.length; i++) {
            if (i == fleet.gpu || request[i] == 0) {
                continue;
            }
            long served = 0;
            for (int rank = accepted.nextSetBit(0); rank >= 0; rank = accepted.nextSetBit(rank + 1)) {
                FleetNode node = fleet.nodes().get(rank);
                served += node.isUsable() ? Math.min(members, node.free(i) / request[i]) : 0;
            }
            if (served < fewest) {
                fewest = served;
                scarcest = resources.name(i);
            }
        }
        return scarcest;
    }

    /**
     * Whether all members would fit if the class were well and empty: judged on the most that each node ever offered.
     * Conservative: {@code true} when unsure.
     */
    public static boolean fitsWhenEmpty(Fleet fleet, String className, List<PodSet> podsets) {
        ClassFleet of = fleet.fleetOf(className);
        if (of == null || of.nodes().isEmpty()) {
            return true;
        }
        for (PodSet podset : podsets) {
            long[] request = fleet.resources().vector(podset.shape().requests());
            BitSet accepted = of.accepted(podset.shape());
            int left = podset.count();
            for (int rank = accepted.nextSetBit(0); rank >= 0 && left > 0; rank = accepted.nextSetBit(rank + 1)) {
                left -= Vectors.times(of.nodes().get(rank).declared, new long[0], request, left);
            }
            if (left > 0) {
                return false;
            }
        }
        return true;
    }
}

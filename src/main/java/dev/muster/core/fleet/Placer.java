package dev.muster.core.fleet;

import dev.muster.core.fleet.Finding.Cause;
import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.TopologyWish;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches one class for a place that holds every member of a gang at once.
 *
 * <p>Steps: (1) podsets with the largest members go first; (2) a podset that fits on one node goes to the fullest such
 * node; (3) else nodes are filled from the fullest upward, so that whole-node members meet empty nodes and small holes
 * are used up first; (4) a podset that prefers or requires
 * a topology level goes into the domain with the fewest free GPUs that holds it; (5) among equally full nodes firm gangs take names from the front, interruptible ones from the back,
 * so that quota which can be taken back also has a place that can be taken back. For gangs of one pod shape the search is
 * complete: it finds a place whenever there is one.
 *
 * <p>Cost: one bit-set scan per number of free GPUs, stopped as soon as all members are placed.
 */
public final class Placer {
    private static final long[] NOTHING = {};

    private final ClassFleet fleet;
    private final View view;
    private final FreeIndex index;
    private final ResourceIndex resources;
    private final boolean fromBack;
    /** What is kept from the gang, and what its earlier podsets take, by node rank. */
    private final Map<Integer, long[]> taken = new HashMap<>();

    /** The podset that found no place in the last search. */
    private @Nullable PodSet failed;

    private int placedOfFailed;

    private Placer(ClassFleet fleet, View view, ResourceIndex resources, boolean fromBack) {
        this.fleet = fleet;
        this.view = view;
        this.index = fleet.index(view);
        this.resources = resources;
        this.fromBack = fromBack;
    }

    /**
     * Searches the class for a place for all podsets together. Nothing is booked.
     *
     * @param view which bookings count
     * @param interruptible which end of the class to pack from
     */
    public static Finding find(Fleet fleet, View view, String className, List<PodSet> podsets, boolean interruptible) {
        return find(fleet, view, className, podsets, interruptible, Map.of());
    }

    /**
     * The same beside what is kept from it.
     *
     * @param kept what must stay free, by node
     */
    public static Finding find(
            Fleet fleet,
            View view,
            String className,
            List<PodSet> podsets,
            boolean interruptible,
            Map<String, long[]> kept) {
        ClassFleet of = fleet.fleetOf(className);
        if (of == null || of.nodes().isEmpty()) {
            PodSet first = podsets.get(0);
            return new Finding.Shortfall(Cause.NO_NODES, first.name(), first.count(), 0, 0, 0, 0, 0, "");
        }
        Placer placer = new Placer(of, view, fleet.resources(), interruptible);
        Finding.Place place = placer.beside(kept, fleet).place(podsets);
        return place != null ? place : placer.shortfall(podsets);
    }

    /** The same place, or null: for whoever does not want to know what is missing. */
    public static Finding.@Nullable Place place(
            Fleet fleet,
            View view,
            String className,
            List<PodSet> podsets,
            boolean interruptible,
            Map<String, long[]> kept) {
        ClassFleet of = fleet.fleetOf(className);
        return of == null || of.nodes().isEmpty()
                ? null
                : new Placer(of, view, fleet.resources(), interruptible)
                        .beside(kept, fleet)
                        .place(podsets);
    }

    private Placer beside(Map<String, long[]> kept, Fleet all) {
        kept.forEach((name, amount) -> {
            FleetNode node = all.node(name);
            if (node != null && node.home == fleet) {
                taken.put(node.rank, amount.clone());
            }
        });
        return this;
    }

    private Finding.@Nullable Place place(List<PodSet> podsets) {
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
            Map<Integer, Integer> slots = search(podset, request, accepted);
            int placed = members(slots);
            if (placed < podset.count()) {
                failed = podset;
                placedOfFailed = placed;
                return null;
            }
            take(slots, request);
            places.put(i, inRankOrder(slots));
        }
        return new Finding.Place(List.copyOf(places.values()));
    }

    /** What was missing in the search that has just failed. */
    private Finding shortfall(List<PodSet> podsets) {
        PodSet podset = failed == null ? podsets.get(0) : failed;
        long[] request = resources.vector(podset.shape().requests());
        return Shortfalls.of(fleet, view, resources, podset, request, fleet.accepted(podset.shape()), placedOfFailed);
    }

    private Map<Integer, Integer> search(PodSet podset, long[] request, BitSet accepted) {
        TopologyWish wish = podset.topology();
        BitSet allowed = accepted;
        if (wish != null && wish.required()) {
            allowed = new BitSet();
            fleet.domains(wish.level()).values().forEach(allowed::or);
            allowed.and(accepted);
        }
        Map<Integer, Integer> slots = onOneNode(podset.count(), request, allowed);
        if (slots.isEmpty() && wish != null) {
            slots = inOneDomain(podset.count(), request, allowed, wish);
        }
        return !slots.isEmpty() || wish != null && wish.required() ? slots : spread(podset.count(), request, allowed);
    }

    /**
     * The domain with the fewest free GPUs that holds all members: of the level that is required; or, where it is only
     * preferred, of the narrowest level of the class that has one, up to the preferred one.
     */
    private Map<Integer, Integer> inOneDomain(int members, long[] request, BitSet allowed, TopologyWish wish) {
        List<String> levels = new ArrayList<>();
        if (!wish.required()) {
            List<String> known = fleet.nodeClass.topology();
            int widest = Math.max(0, known.indexOf(wish.level()));
            for (int i = known.size() - 1; i > widest; i--) {
                levels.add(known.get(i));
            }
        }
        levels.add(wish.level());
        for (String level : levels) {
            Map<Integer, Integer> slots = inOneDomain(members, request, allowed, level);
            if (!slots.isEmpty()) {
                return slots;
            }
        }
        return Map.of();
    }

    private Map<Integer, Integer> inOneDomain(int members, long[] request, BitSet allowed, String level) {
        record Domain(BitSet ranks, long free) {}
        long needed = Vectors.at(request, fleet.gpu) * members;
        List<Domain> domains = new ArrayList<>();
        for (BitSet domain : fleet.domains(level).values()) {
            BitSet ranks = (BitSet) domain.clone();
            ranks.and(allowed);
            long free = ranks.stream()
                    .mapToObj(fleet.nodes()::get)
                    .filter(FleetNode::isUsable)
                    .mapToLong(node -> node.free(view, fleet.gpu))
                    .sum();
            if (free >= needed) {
                domains.add(new Domain(ranks, free));
            }
        }
        domains.sort(Comparator.comparingLong(Domain::free));
        for (Domain domain : domains) {
            Map<Integer, Integer> slots = within(members, request, domain.ranks());
            if (members(slots) == members) {
                return slots;
            }
        }
        return Map.of();
    }

    /** Fills the usable nodes of a small set, the fullest first. */
    private Map<Integer, Integer> within(int members, long[] request, BitSet ranks) {
        List<Integer> order = new ArrayList<>();
        ranks.stream().filter(rank -> fleet.nodes().get(rank).isUsable()).forEach(order::add);
        Comparator<Integer> byRank = Comparator.naturalOrder();
        order.sort(Comparator.comparingLong(
                        (Integer rank) -> fleet.nodes().get(rank).free(view, fleet.gpu))
                .thenComparing(fromBack ? byRank.reversed() : byRank));
        Map<Integer, Integer> slots = new TreeMap<>();
        int left = members;
        for (int rank : order) {
            int fitting = left > 0 ? fits(rank, request, left) : 0;
            if (fitting > 0) {
                slots.put(rank, fitting);
                left -= fitting;
            }
        }
        return slots;
    }

    private static int members(Map<Integer, Integer> slots) {
        return slots.values().stream().mapToInt(Integer::intValue).sum();
    }

    private long gpusPerMember(PodSet podset) {
        return podset.shape().requests().get(fleet.nodeClass.resource());
    }

    /** Step 2: the fullest node that holds all members, if any. */
    private Map<Integer, Integer> onOneNode(int members, long[] request, BitSet accepted) {
        long gpus = Vectors.at(request, fleet.gpu);
        if (members == 1 || gpus > index.buckets() / members) {
            return Map.of();
        }
        for (int free = (int) gpus * members; free < index.buckets(); free++) {
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
        for (int free = (int) Math.min(gpus, index.buckets()); free < index.buckets() && left > 0; free++) {
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
        BitSet bucket = index.bucket(free);
        return fromBack ? bucket.length() - 1 : bucket.nextSetBit(0);
    }

    private int next(int free, int rank) {
        BitSet bucket = index.bucket(free);
        if (fromBack) {
            return rank == 0 ? -1 : bucket.previousSetBit(rank - 1);
        }
        return bucket.nextSetBit(rank + 1);
    }

    private int fits(int rank, long[] request, int limit) {
        return fleet.nodes().get(rank).times(view, taken.getOrDefault(rank, NOTHING), request, limit);
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

    /**
     * Whether all members would fit if the class were well and empty, in one domain where that is required: judged on the most
     * that each node ever offered. Conservative: {@code true} when unsure.
     */
    public static boolean fitsWhenEmpty(Fleet fleet, String className, List<PodSet> podsets) {
        ClassFleet of = fleet.fleetOf(className);
        return of == null
                || of.nodes().isEmpty()
                || podsets.stream()
                        .allMatch(podset -> fitsWhenEmpty(
                                of,
                                podset,
                                fleet.resources().vector(podset.shape().requests())));
    }

    private static boolean fitsWhenEmpty(ClassFleet of, PodSet podset, long[] request) {
        BitSet accepted = of.accepted(podset.shape());
        TopologyWish wish = podset.topology();
        return wish == null || !wish.required()
                ? fitsWhenEmpty(of, accepted, accepted, podset.count(), request)
                : of.domains(wish.level()).values().stream()
                        .anyMatch(domain -> fitsWhenEmpty(of, domain, accepted, podset.count(), request));
    }

    private static boolean fitsWhenEmpty(ClassFleet of, BitSet among, BitSet accepted, int members, long[] request) {
        int left = members;
        for (int rank = among.nextSetBit(0); rank >= 0 && left > 0; rank = among.nextSetBit(rank + 1)) {
            left -= accepted.get(rank) ? Vectors.times(of.nodes().get(rank).declared, request, left) : 0;
        }
        return left <= 0;
    }
}

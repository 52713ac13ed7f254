package dev.muster.core.fleet;

import dev.muster.core.model.Admission.NodeSlots;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.TopologyWish;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of nodes on which a gang could run once everybody else has left them, chosen so that the fewest GPUs have still to
 * come free.
 *
 * @param podsets per podset its nodes in the order of names
 * @param outstanding GPUs that others still use of what the gang needs
 */
public record Gathering(List<List<NodeSlots>> podsets, long outstanding) {
    private static final long[] NOTHING = {};

    public Gathering {
        podsets = List.copyOf(podsets);
    }

    /**
     * Chooses among the usable nodes of a class.
     *
     * @param besides nodes that are not to be taken
     * @param stays what will still be used of a node when all gangs have left it, by node; absent means nothing
     * @return null when no set is large enough
     */
    public static @Nullable Gathering of(
            Fleet fleet, String className, List<PodSet> podsets, Set<String> besides, Map<String, long[]> stays) {
        ClassFleet of = fleet.fleetOf(className);
        if (of == null) {
            return null;
        }
        List<BitSet> regions = new ArrayList<>();
        for (PodSet podset : podsets) {
            TopologyWish wish = podset.topology();
            if (wish != null && wish.required() && regions.isEmpty()) {
                regions.addAll(of.domains(wish.level()).values());
            }
        }
        if (regions.isEmpty()) {
            BitSet all = new BitSet();
            all.set(0, of.nodes().size());
            regions.add(all);
        }
        Gathering best = null;
        for (BitSet region : regions) {
            Gathering found = within(fleet, of, region, podsets, besides, stays);
            best = found != null && (best == null || found.outstanding < best.outstanding) ? found : best;
        }
        return best;
    }

    private static @Nullable Gathering within(
            Fleet fleet,
            ClassFleet of,
            BitSet region,
            List<PodSet> podsets,
            Set<String> besides,
            Map<String, long[]> stays) {
        Set<String> taken = new HashSet<>(besides);
        Map<Integer, List<NodeSlots>> places = new TreeMap<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < podsets.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingLong(
                        (Integer i) -> podsets.get(i).shape().requests().get(of.nodeClass.resource()))
                .reversed());
        long outstanding = 0;
        for (int i : order) {
            List<Room> rooms = rooms(fleet, of, region, podsets.get(i), taken, stays);
            List<NodeSlots> slots = new ArrayList<>();
            int left = podsets.get(i).count();
            for (Room room : rooms) {
                int members = Math.min(left, room.members);
                if (members > 0) {
                    slots.add(new NodeSlots(room.node.name, members));
                    taken.add(room.node.name);
                    outstanding += room.outstanding(members);
                    left -= members;
                }
            }
            if (left > 0) {
                return null;
            }
            slots.sort(Comparator.comparing(NodeSlots::node));
            places.put(i, slots);
        }
        return new Gathering(List.copyOf(places.values()), outstanding);
    }

    private record Room(FleetNode node, int members, long gpus, long free) {
        long outstanding(int count) {
            return Math.max(0, gpus * count - free);
        }
    }

    private static List<Room> rooms(
            Fleet fleet, ClassFleet of, BitSet region, PodSet podset, Set<String> taken, Map<String, long[]> stays) {
        long[] request = fleet.resources().vector(podset.shape().requests());
        BitSet accepted = (BitSet) of.accepted(podset.shape()).clone();
        accepted.and(region);
        List<Room> rooms = new ArrayList<>();
        for (int rank = accepted.nextSetBit(0); rank >= 0; rank = accepted.nextSetBit(rank + 1)) {
            FleetNode node = of.nodes().get(rank);
            if (node.isUsable() && !taken.contains(node.name)) {
                long[] left = Vectors.add(node.allocatable.clone(), stays.getOrDefault(node.name, NOTHING), -1);
                int members = Vectors.times(left, request, podset.count());
                rooms.add(new Room(node, members, Vectors.at(request, of.gpu), node.free(View.NOW, of.gpu)));
            }
        }
        rooms.removeIf(room -> room.members <= 0);
        rooms.sort(Comparator.comparingLong((Room room) -> room.outstanding(room.members) * 1_000 / room.members)
                .thenComparing(room -> room.node.name));
        return rooms;
    }

    /** GPUs that others still use of what a place needs. */
    public static long outstanding(Fleet fleet, String className, Map<String, long[]> bookings) {
        ClassFleet of = fleet.fleetOf(className);
        long outstanding = 0;
        for (Map.Entry<String, long[]> booking : bookings.entrySet()) {
            FleetNode node = fleet.node(booking.getKey());
            long free = node == null || of == null || !node.isUsable() ? 0 : node.free(View.NOW, of.gpu);
            outstanding += of == null ? 0 : Math.max(0, Vectors.at(booking.getValue(), of.gpu) - free);
        }
        return outstanding;
    }

    /** GPUs that a place needs. */
    public static long gpus(Fleet fleet, String className, Collection<long[]> bookings) {
        ClassFleet of = fleet.fleetOf(className);
        return of == null
                ? 0
                : bookings.stream()
                        .mapToLong(amount -> Vectors.at(amount, of.gpu))
                        .sum();
    }

    /** What will still be used of each node of a class when these amounts have left, by node. */
    public static Map<String, long[]> stays(
            Fleet fleet, String className, Map<String, long[]> held, Map<String, long[]> committed) {
        ClassFleet of = fleet.fleetOf(className);
        Map<String, long[]> stays = new HashMap<>();
        if (of != null) {
            for (FleetNode node : of.nodes()) {
                stays.put(
                        node.name,
                        Outlook.usedWithout(
                                fleet,
                                node.name,
                                held.getOrDefault(node.name, NOTHING),
                                committed.getOrDefault(node.name, NOTHING)));
            }
        }
        return stays;
    }
}

package dev.muster.core.fleet;

import dev.muster.core.fleet.Finding.Cause;
import dev.muster.core.fleet.Finding.Shortfall;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.TopologyWish;
import java.util.BitSet;

/** Finds out, once a search has failed, what was missing. */
final class Shortfalls {
    private final ClassFleet fleet;
    private final View view;
    private final long[] request;
    private final BitSet accepted;

    private Shortfalls(ClassFleet fleet, View view, long[] request, BitSet accepted) {
        this.fleet = fleet;
        this.view = view;
        this.request = request;
        this.accepted = accepted;
    }

    static Shortfall of(
            ClassFleet fleet,
            View view,
            ResourceIndex resources,
            PodSet podset,
            long[] request,
            BitSet accepted,
            int placed) {
        return new Shortfalls(fleet, view, request, accepted).of(resources, podset, placed);
    }

    private Shortfall of(ResourceIndex resources, PodSet podset, int placed) {
        int members = podset.count();
        long gpus = Vectors.at(request, fleet.gpu);
        long free = 0;
        long roomForGpus = 0;
        int usable = 0;
        for (int rank = accepted.nextSetBit(0); rank >= 0; rank = accepted.nextSetBit(rank + 1)) {
            FleetNode node = fleet.nodes().get(rank);
            if (node.isUsable()) {
                usable++;
                free += node.free(view, fleet.gpu);
                roomForGpus += gpus == 0 ? members : Math.min(members, node.free(view, fleet.gpu) / gpus);
            }
        }
        Cause cause = cause(podset, gpus, free, roomForGpus);
        return new Shortfall(
                cause,
                podset.name(),
                members,
                gpus,
                placed,
                free,
                accepted.cardinality(),
                usable,
                cause == Cause.OTHER_RESOURCE ? scarcest(resources, members) : "");
    }

    private Cause cause(PodSet podset, long gpus, long free, long roomForGpus) {
        if (accepted.isEmpty()) {
            return Cause.NONE_ACCEPTS;
        }
        if (gpus > 0 && free < gpus * podset.count()) {
            return Cause.TOO_FEW_GPUS;
        }
        if (roomForGpus < podset.count()) {
            return Cause.SCATTERED;
        }
        TopologyWish wish = podset.topology();
        return wish != null && wish.required() && served(podset.count(), request) >= podset.count()
                ? Cause.NO_DOMAIN
                : Cause.OTHER_RESOURCE;
    }

    /** How many members all usable nodes together could take. */
    private long served(int members, long[] what) {
        long served = 0;
        for (int rank = accepted.nextSetBit(0); rank >= 0; rank = accepted.nextSetBit(rank + 1)) {
            FleetNode node = fleet.nodes().get(rank);
            served += node.isUsable() ? node.times(view, new long[0], what, members) : 0;
        }
        return served;
    }

    /** The resource, other than the GPU, of which the fewest members could be served. */
    private String scarcest(ResourceIndex resources, int members) {
        String scarcest = "";
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < request.length; i++) {
            if (i != fleet.gpu && request[i] > 0) {
                long[] alone = new long[i + 1];
                alone[i] = request[i];
                long served = served(members, alone);
                if (served < fewest) {
                    fewest = served;
                    scarcest = resources.name(i);
                }
            }
        }
        return scarcest;
    }
}

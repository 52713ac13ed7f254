package dev.muster.core.fleet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The usable nodes of a class by how many GPUs are free on them under one view: a bit set of ranks for each number. Moving
 * a node costs O(1).
 */
final class FreeIndex {
    private final View view;
    private final int gpu;
    private List<BitSet> byFree = new ArrayList<>();
    private long freeGpus;

    FreeIndex(View view, int gpu) {
        this.view = view;
        this.gpu = gpu;
        clear();
    }

    void clear() {
        byFree = new ArrayList<>();
        byFree.add(new BitSet());
        freeGpus = 0;
    }

    /** The node's room changed, or whether it is usable. */
    void refresh(FleetNode node) {
        int free = node.isUsable() ? (int) Math.min(node.free(view, gpu), Integer.MAX_VALUE - 1) : -1;
        int before = node.bucket[view.ordinal()];
        if (free == before) {
            return;
        }
        if (before >= 0) {
            byFree.get(before).clear(node.rank);
            freeGpus -= before;
        }
        if (free >= 0) {
            while (byFree.size() <= free) {
                byFree.add(new BitSet());
            }
            byFree.get(free).set(node.rank);
            freeGpus += free;
        }
        node.bucket[view.ordinal()] = free;
    }

    /** Number of buckets: one more than the most GPUs that were ever free on a node. */
    int buckets() {
        return byFree.size();
    }

    /** Ranks of the usable nodes with exactly so many free GPUs. */
    BitSet bucket(int free) {
        return byFree.get(free);
    }

    /** How many members of so many GPUs each the free GPUs hold, nothing else looked at; at most {@code limit}. */
    int room(long gpus, int limit) {
        long room = gpus == 0 ? limit : 0;
        for (int free = (int) Math.min(gpus, byFree.size()); free < byFree.size() && room < limit; free++) {
            room += free / Math.max(1, gpus) * byFree.get(free).cardinality();
        }
        return (int) Math.min(room, limit);
    }

    /** Free GPUs on usable nodes. */
    long freeGpus() {
        return freeGpus;
    }
}

package dev.muster.core.decide;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Small numbers for committed gangs, by which results about them are kept in arrays; used again when a gang has gone. */
final class Slots {
    /** The slot of a gang that is looked at and not committed. */
    static final int CANDIDATE = 0;

    private final Map<String, Integer> byUid = new HashMap<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final List<String> uids = new ArrayList<>(List.of(""));

    /** The gang's slot; a new one when it has none. */
    int of(String uid) {
        return byUid.computeIfAbsent(uid, this::take);
    }

    private int take(String uid) {
        Integer reused = free.poll();
        if (reused != null) {
            uids.set(reused, uid);
            return reused;
        }
        uids.add(uid);
        return uids.size() - 1;
    }

    /** The gang has gone; harmless when it has no slot. */
    void free(String uid) {
        Integer slot = byUid.remove(uid);
        if (slot != null) {
            free.add(slot);
        }
    }

    /** The gang in a slot. */
    String uid(int slot) {
        return uids.get(slot);
    }
}

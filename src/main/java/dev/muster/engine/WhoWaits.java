package dev.muster.engine;

import dev.muster.core.model.Gang;
import dev.muster.core.model.Waiting;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Who waits where, as the backlog stands at the time of each question. */
final class WhoWaits {
    private final SortedMap<String, Line> lines;
    private final SortedMap<String, Intake> intakes;
    private final Stays stays;

    WhoWaits(SortedMap<String, Line> lines, SortedMap<String, Intake> intakes, Stays stays) {
        this.lines = lines;
        this.intakes = intakes;
        this.stays = stays;
    }

    /** Why a gang, which may be a newcomer, stands outside for want of a place among the pending; null when it does not. */
    @Nullable
    Waiting full(String queue, GangEntry entry) {
        Intake intake = intakes.get(queue);
        return intake == null ? null : intake.full(entry);
    }

    /** The place in line of a gang, from 1; 0 when it does not wait, or breaks its queue's terms. */
    int place(GangEntry entry, long now) {
        Gang gang = entry.gang;
        if (entry.lane != null && gang != null) {
            return countAhead(gang, entry, now) + 1;
        }
        Intake intake = intakes.get(entry.queue);
        return intake == null || !intake.isBeyond(entry) ? 0 : intake.countBefore(entry) + 1;
    }

    /** Gangs that wait in the lanes of a queue, or outside of them. */
    int size(String queue) {
        Line line = lines.get(queue);
        Intake intake = intakes.get(queue);
        return (line == null ? 0 : line.gangs) + (intake == null ? 0 : intake.outsideCount());
    }

    /** The first gangs that wait outside of the lanes of a queue, or of all queues when it is null. */
    List<GangEntry> outside(@Nullable String queue, int limit) {
        return intakes.entrySet().stream()
                .filter(entry -> queue == null || entry.getKey().equals(queue))
                .flatMap(entry -> entry.getValue().outside(limit).stream())
                .limit(limit)
                .toList();
    }

    /** Lanes of a queue, in no order. */
    Collection<Lane> lanes(String queue) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.all();
    }

    /** Names of the queues with waiting gangs, sorted. */
    List<String> queues() {
        return List.copyOf(lines.keySet());
    }

    /** How many waiting gangs go before this one in its queue; it need not wait itself. */
    int countAhead(Gang gang, GangEntry entry, long now) {
        Line line = lines.get(gang.queue());
        Lane.Key key = entry.lane == null ? Lane.Key.of(gang, stays.expected(gang)) : entry.lane.key;
        return line == null ? 0 : line.countBefore(key, entry, now);
    }

    /** The first gangs of a queue in its order, of these namespaces, or of all when it is null. */
    List<GangEntry> inLine(String queue, @Nullable Set<String> namespaces, int limit, long now) {
        Line line = lines.get(queue);
        return line == null ? List.of() : line.inOrder(namespaces, limit, now);
    }
}

package dev.muster.web;

import dev.muster.core.model.GangState;
import dev.muster.engine.Views;
import dev.muster.engine.Views.GangView;
import dev.muster.web.access.Reach;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which gangs are shown when there is no room for all. The order: what holds something (stopping, admitted, running),
 * newest admission first; then what waits, in line order; then what has ended, newest submission first. Equals go by
 * namespace and name.
 */
record Shown(Views views, Reach reach) {
    private static final Comparator<GangView> BY_NAME =
            Comparator.comparing(GangView::namespace).thenComparing(GangView::name);

    /** Of all namespaces. */
    Shown(Views views) {
        this(views, Reach.ALL);
    }

    /** Gangs of one state, or of any when it is null, as the views order them. */
    List<GangView> gangs(@Nullable String queue, @Nullable GangState state, int most) {
        return views.gangs(queue, state, reach.namespaces(), most);
    }

    /** The first gangs in that order of one queue, or of all when it is null. */
    List<GangView> gangs(@Nullable String queue, int most) {
        Map<String, GangView> first = byUid(active(queue, most));
        if (first.size() < most) {
            gangs(queue, GangState.WAITING, most - first.size()).forEach(gang -> first.put(gang.uid(), gang));
        }
        if (first.size() < most) {
            gangs(queue, GangState.FINISHED, most - first.size()).forEach(gang -> first.put(gang.uid(), gang));
        }
        return List.copyOf(first.values());
    }

    /** The newest gangs that hold something, of one queue, or of all when it is null. */
    List<GangView> active(@Nullable String queue, int most) {
        List<GangView> holding = new ArrayList<>();
        for (GangState state : List.of(GangState.ADMITTED, GangState.RUNNING, GangState.STOPPING)) {
            holding.addAll(gangs(queue, state, most));
        }
        return byUid(holding).values().stream() // each answer is of its own moment: the later one counts
                .sorted(Comparator.comparingLong(Shown::admittedAt).reversed().thenComparing(BY_NAME))
                .limit(most)
                .toList();
    }

    private static Map<String, GangView> byUid(List<GangView> gangs) {
        Map<String, GangView> byUid = new LinkedHashMap<>();
        gangs.forEach(gang -> byUid.put(gang.uid(), gang));
        return byUid;
    }

    private static long admittedAt(GangView gang) {
        return gang.admission() == null ? 0 : gang.admission().admittedAt();
    }
}

package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which write the life of a gang asks for next, apart from its admission: from what the job says and how its pods are.
 *
 * <p>admitted → running when every needed member is ready; admitted under a fence that is no longer valid → stopping;
 * admitted or running → stopping when
 * the run time is used up; stopping → waiting when the charge has ended; anything → finished when the job has ended. The charge of a stopped gang
 * ends when the job's controller was seen to have taken the admission up (or a bound has passed: a job stopped at once
 * shows no pods for seconds while they are still being made), and after that says suspended, none active, none
 * terminating, and no live pod is left.
 */
final class Lifecycle {
    private static final String PREEMPTED =
            "Preempted: its place is due to another gang, which has claimed or reserved it.";

    private static final String MOVED =
            "Moved: a larger gang needs its place. It keeps its quota and starts again on other nodes.";

    private final EngineSettings settings;
    private final Stays stays;

    Lifecycle(EngineSettings settings, Stays stays) {
        this.settings = settings;
        this.stays = stays;
    }

    /**
     * The next write on the job; null when none is due.
     *
     * @param grace how long it has to stop once it was told to, in milliseconds
     */
    @Nullable
    Action next(GangEntry entry, Collection<PodFacts> pods, long now, long grace) {
        GangStatus status = entry.status;
        if (status.end() == End.LEAVING) {
            return null;
        }
        if (status.end() != End.NOT_YET) {
            return status.state() == GangState.FINISHED ? null : new Action.Mark(entry.target(), GangState.FINISHED);
        }
        Admission admission = status.admission();
        if (admission == null) {
            return null;
        }
        if (status.suspended()) {
            return chargeHasEnded(entry, pods, now) ? release(entry, admission, now) : null;
        }
        if (entry.isVoid) {
            return new Action.Stop(
                    entry.target(),
                    Reason.BACKING_OFF,
                    "The admission was made by a leader that had been replaced; it is void and will be decided anew.");
        }
        if (entry.isStopping() || now >= stays.runsOutAt(entry)) {
            return stop(entry, now, grace);
        }
        boolean marked = status.state() == GangState.RUNNING;
        return !marked && allReady(admission, status, pods) ? new Action.Mark(entry.target(), GangState.RUNNING) : null;
    }

    /** Notice first, then, when the time has come or its work is saved, the stop itself. */
    private @Nullable Action stop(GangEntry entry, long now, long grace) {
        OptionalLong stopAt = entry.status.marks().stopAt();
        Told told = entry.status.marks().told();
        Reason reason = stopAt.isPresent() && told != null
                ? told.reason()
                : entry.isStopping() ? Reason.PREEMPTED : Reason.OUT_OF_TIME;
        Admission to = entry.movesTo();
        Claim moves = to == null ? null : new Claim(to, List.of());
        String why = reason == Reason.OUT_OF_TIME ? "Its maximum run time has passed." : to == null ? PREEMPTED : MOVED;
        if (stopAt.isEmpty() && grace > 0) {
            return new Action.Notice(entry.target(), now + grace, reason, why, moves);
        }
        boolean saved =
                stopAt.isPresent() && entry.status.marks().lastCheckpoint().orElse(0) > stopAt.getAsLong() - grace;
        return stopAt.isEmpty() || saved || now >= stopAt.getAsLong()
                ? new Action.Stop(entry.target(), reason, why, moves)
                : null;
    }

    private static Action release(GangEntry entry, Admission admission, long now) {
        GangMarks marks = entry.status.marks();
        boolean evicted = marks.told() != null && marks.told().reason() == Reason.PREEMPTED;
        return new Action.Release(entry.target(), marks.past().with(admission.admittedAt(), now, evicted));
    }

    /** When time alone lets {@link #next} say more; {@link Long#MAX_VALUE} when never. */
    long wakeAt(GangEntry entry) {
        if (!entry.status.suspended() && entry.status.marks().stopAt().isPresent()) {
            return entry.status.marks().stopAt().getAsLong();
        }
        if (!entry.status.suspended() && entry.status.admission() != null) {
            return stays.runsOutAt(entry);
        }
        return entry.stoppingSince > 0 && !entry.takenUp
                ? entry.stoppingSince + settings.stopAcknowledgement()
                : Long.MAX_VALUE;
    }

    /** Gated members that wait for nothing but their place. */
    List<PodFacts> unplaced(GangEntry entry, Collection<PodFacts> pods) {
        List<PodFacts> unplaced = new ArrayList<>();
        GangStatus status = entry.status;
        if (status.admission() != null && !entry.isStopping() && !entry.isVoid && status.end() == End.NOT_YET) {
            for (PodFacts pod : pods) {
                if (pod.gated() && pod.onlyOurGate() && pod.phase() == PodFacts.Phase.PENDING) {
                    unplaced.add(pod);
                }
            }
        }
        return unplaced;
    }

    private boolean chargeHasEnded(GangEntry entry, Collection<PodFacts> pods, long now) {
        GangStatus status = entry.status;
        boolean settled = entry.takenUp || now >= entry.stoppingSince + settings.stopAcknowledgement();
        return settled
                && status.resumed() == Acknowledged.NO
                && status.active() == 0
                && status.terminating() == 0
                && pods.stream().allMatch(pod -> pod.phase() == PodFacts.Phase.ENDED);
    }

    private static boolean allReady(Admission admission, GangStatus status, Collection<PodFacts> pods) {
        Map<String, Integer> ready = new HashMap<>();
        for (PodFacts pod : pods) {
            if (pod.phase() == PodFacts.Phase.READY && pod.membership() != null) {
                ready.merge(pod.membership().podset(), 1, Integer::sum);
            }
        }
        return admission.podsets().stream()
                .allMatch(place -> ready.getOrDefault(place.podset(), 0)
                        >= Math.min(place.count(), status.remaining().getOrDefault(place.podset(), place.count())));
    }
}

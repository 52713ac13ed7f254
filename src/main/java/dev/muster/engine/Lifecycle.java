package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Attempt;
import dev.muster.core.model.Claim;
import dev.muster.core.model.GangMarks;
import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.Acknowledged;
import dev.muster.core.model.GangStatus.End;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which write the life of a gang asks for next, apart from its admission: from what the job says and how its pods are.
 *
 * <p>admitted → running when every needed member is ready; admitted under a fence that is no longer valid → stopping;
 * admitted or running → stopping when the run time is used up, or by a {@link Mishap}; stopping → waiting when the charge has
 * ended; anything → finished when the job has ended. What is known of the members that failed is written with the stop, before
 * their pods go. The charge of a stopped gang
 * ends when the job's controller was seen to have taken the admission up (or a bound has passed: a job stopped at once
 * shows no pods for seconds while they are still being made), and after that says suspended, none active, none
 * terminating, and no live pod is left.
 */
final class Lifecycle {
    private static final String ENDED_WHILE_STOPPING =
            "The job has ended with success while it was being stopped (%s). Maybe its work is not complete: a trainer that"
                    + " ends with exit code 0 when it is told to stop counts as done.";

    private final EngineSettings settings;
    private final Stays stays;
    private final Mishaps mishaps;
    private final Repairs repairs;

    Lifecycle(EngineSettings settings, Stays stays, Mishaps mishaps, Repairs repairs) {
        this.settings = settings;
        this.stays = stays;
        this.mishaps = mishaps;
        this.repairs = repairs;
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
            return status.state() == GangState.FINISHED ? null : finish(entry, pods, now);
        }
        Admission admission = status.admission();
        if (admission == null) {
            entry.course = null;
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
        entry.course().ran |= status.state() == GangState.RUNNING;
        if (entry.isStopping() || now >= stays.runsOutAt(entry)) {
            return stop(entry, pods, now, grace);
        }
        Mishap mishap = mishaps.of(entry, admission, pods, now);
        if (mishap != null) {
            return mishap.withNotice() && grace > 0
                    ? new Action.Notice(entry.target(), now + grace, mishap.reason(), mishap.sentence(), null)
                    : stop(entry, pods, mishap.reason(), mishap.sentence(), mishap.fault(), null);
        }
        if (entry.course().trouble != null) {
            return repairs.make(entry, admission, pods);
        }
        boolean marked = status.state() == GangState.RUNNING;
        return !marked && Roster.of(admission, status, pods).isWhole()
                ? new Action.Mark(entry.target(), GangState.RUNNING)
                : null;
    }

    /** Notice first, then, when the time has come or its work is saved, the stop itself. */
    private @Nullable Action stop(GangEntry entry, Collection<PodFacts> pods, long now, long grace) {
        OptionalLong stopAt = entry.status.marks().stopAt();
        Told told = entry.status.marks().told();
        Reason reason = stopAt.isPresent() && told != null
                ? told.reason()
                : entry.isStopping() ? Reason.PREEMPTED : Reason.OUT_OF_TIME;
        Admission to = entry.movesTo();
        Claim moves = to == null ? null : new Claim(to, List.of());
        String why = sentence(reason, to);
        if (stopAt.isEmpty() && grace > 0) {
            return new Action.Notice(entry.target(), now + grace, reason, why, moves);
        }
        boolean saved = stopAt.isPresent() && entry.savedAt() > stopAt.getAsLong() - grace;
        Fault fault = reason == Reason.DRAINED ? Fault.CLUSTER : Fault.NOBODY;
        return stopAt.isEmpty() || saved || now >= stopAt.getAsLong() || isBroken(entry, pods, now)
                ? stop(entry, pods, reason, why, fault, moves)
                : null;
    }

    /** Whether nothing can be saved any more: a gang that has lost a node, or a member for long, waits for no grace. */
    private boolean isBroken(GangEntry entry, Collection<PodFacts> pods, long now) {
        Admission admission = entry.status.admission();
        Mishap mishap = admission == null ? null : mishaps.of(entry, admission, pods, now);
        return mishap != null && !mishap.withNotice();
    }

    private static String sentence(Reason reason, @Nullable Admission to) {
        return switch (reason) {
            case OUT_OF_TIME -> "Its maximum run time has passed.";
            case DRAINED -> "Its queue, or a node on which it ran, is being drained.";
            default ->
                to == null
                        ? "Preempted: its place is due to another gang, which has claimed or reserved it."
                        : "Moved: a larger gang needs its place. It keeps its quota and starts again on other nodes.";
        };
    }

    private static Action stop(
            GangEntry entry,
            Collection<PodFacts> pods,
            Reason reason,
            String sentence,
            Fault fault,
            @Nullable Claim moves) {
        Admission admission = entry.status.admission();
        PastRuns past = entry.status.marks().past();
        PastRuns evidence =
                admission == null ? past : past.leaving(attempt(entry, admission, pods, reason.wireName(), fault));
        return new Action.Stop(entry.target(), reason, sentence, moves, evidence);
    }

    private static Attempt attempt(
            GangEntry entry, Admission admission, Collection<PodFacts> pods, String why, Fault fault) {
        return new Attempt(
                admission.attempt(),
                admission.admittedAt(),
                0,
                why,
                fault,
                entry.course().ran,
                Roster.of(admission, entry.status, pods).losses());
    }

    private static Action release(GangEntry entry, Admission admission, long now) {
        GangMarks marks = entry.status.marks();
        Reason why = marks.told() == null ? null : marks.told().reason();
        Attempt unknown = attempt(entry, admission, List.of(), why == null ? "" : why.wireName(), Fault.NOBODY);
        return new Action.Release(entry.target(), marks.past().with(unknown, now, why == Reason.PREEMPTED));
    }

    /** Ended is final; but that it ended well while it was being stopped does not pass unnoticed. */
    private static Action finish(GangEntry entry, Collection<PodFacts> pods, long now) {
        GangMarks marks = entry.status.marks();
        Admission admission = entry.status.admission();
        boolean stopping = entry.status.suspended() || marks.stopAt().isPresent();
        if (admission == null || !stopping || entry.status.end() != End.SUCCEEDED) {
            return new Action.Mark(entry.target(), GangState.FINISHED);
        }
        String why = marks.told() == null ? "" : marks.told().reason().wireName();
        Attempt last = attempt(entry, admission, pods, why, Fault.NOBODY);
        return new Action.Finish(
                entry.target(), marks.past().with(last, now, false), ENDED_WHILE_STOPPING.formatted(why));
    }

    /** When time alone lets {@link #next} say more; {@link Long#MAX_VALUE} when never. */
    long wakeAt(GangEntry entry) {
        if (!entry.status.suspended() && entry.status.marks().stopAt().isPresent()) {
            return Math.min(
                    entry.status.marks().stopAt().getAsLong(),
                    entry.course == null ? Long.MAX_VALUE : entry.course.again);
        }
        if (!entry.status.suspended() && entry.status.admission() != null) {
            return Math.min(stays.runsOutAt(entry), entry.course().again);
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

    /** Members that have to be told of a stop and were not yet. */
    List<PodFacts> untold(GangEntry entry, Collection<PodFacts> pods) {
        GangMarks marks = entry.status.marks();
        boolean tells = marks.wishes().notifyPods()
                && marks.stopAt().isPresent()
                && entry.status.admission() != null
                && entry.status.end() == End.NOT_YET;
        return !tells
                ? List.of()
                : pods.stream()
                        .filter(pod -> pod.phase() != PodFacts.Phase.ENDED
                                && pod.phase() != PodFacts.Phase.VANISHED
                                && !pod.gated()
                                && !pod.uid().equals(entry.uid)
                                && !pod.report().stopAt().equals(marks.stopAt()))
                        .toList();
    }

    private boolean chargeHasEnded(GangEntry entry, Collection<PodFacts> pods, long now) {
        GangStatus status = entry.status;
        boolean settled = entry.takenUp || now >= entry.stoppingSince + settings.stopAcknowledgement();
        return settled
                && status.resumed() == Acknowledged.NO
                && status.active() == 0
                && status.terminating() == 0
                && pods.stream().allMatch(pod -> pod.phase() == PodFacts.Phase.ENDED || pod.gated());
    }
}

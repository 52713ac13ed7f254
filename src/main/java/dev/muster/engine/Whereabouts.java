package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.End;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Puts each gang where it belongs by what is stored: into its lane, or into the ledger, or aside. */
final class Whereabouts {
    private final Backlog backlog;
    private final Starts starts;
    private final Claims claims;
    private final Ledger ledger;
    private final Stays stays;
    private final Retries retries;
    /** Gangs that wait and take no part: unreadable, resting, out of time, failed too often, or with a claim. */
    private final Set<GangEntry> aside = new TreeSet<>(GangEntry.BY_UID);
    /** All gangs that stand in no lane. */
    private final Set<GangEntry> outOfLane = new HashSet<>();

    Whereabouts(Backlog backlog, Starts starts, Claims claims, Ledger ledger, Stays stays, Retries retries) {
        this.backlog = backlog;
        this.starts = starts;
        this.claims = claims;
        this.ledger = ledger;
        this.stays = stays;
        this.retries = retries;
    }

    /** Puts a gang where it belongs; {@code rests} while a refused write of it is not to be tried again. */
    void place(GangEntry entry, boolean rests) {
        GangStatus status = entry.status;
        if (entry.unsure != null && !entry.unsure.target().resourceVersion().equals(status.resourceVersion())) {
            entry.unsure = null; // the job has changed: the write can no longer be stored, or it was
        }
        Admission admission = status.end() != End.NOT_YET
                ? null
                : entry.unsure != null ? entry.unsure.admission() : status.admission();
        Gang gang = entry.gang;
        Claim claim = entry.claim();
        if (admission != null) {
            backlog.remove(entry);
            claims.letGo(entry);
            ledger.admit(entry.holder(), admission, status.remaining(), entry.isStopping(), entry.movesTo());
        } else if (claim != null && gang != null && !isBarred(entry)) {
            entry.spare();
            backlog.remove(entry);
            entry.waitAnew();
            starts.keep(entry, gang, claim);
        } else {
            entry.spare();
            claims.letGo(entry);
            ledger.dismiss(entry.uid);
            line(entry, rests);
        }
        if (entry.state() == GangState.WAITING && entry.lane == null && !backlog.isOutside(entry)) {
            aside.add(entry);
        } else {
            aside.remove(entry);
        }
        if (entry.lane == null) {
            outOfLane.add(entry);
        } else {
            outOfLane.remove(entry);
        }
    }

    private void line(GangEntry entry, boolean rests) {
        GangStatus status = entry.status;
        Gang gang = entry.gang;
        boolean waits = gang != null && status.end() == End.NOT_YET && status.suspended();
        if (gang == null || !waits || rests || isBarred(entry)) {
            backlog.remove(entry);
        } else if (entry.lane == null && !backlog.isOutside(entry)) {
            backlog.add(entry, gang);
        }
    }

    /** Whether it does not start again before somebody changes something. */
    private boolean isBarred(GangEntry entry) {
        return stays.isOutOfTime(entry) || retries.isHeld(entry);
    }

    /** The gang is no more. */
    void forget(GangEntry entry) {
        aside.remove(entry);
        outOfLane.remove(entry);
    }

    /** All gangs that stood in no lane when they were last looked at, in no order. */
    Set<GangEntry> outOfLane() {
        return Collections.unmodifiableSet(outOfLane);
    }

    /** Gangs that wait and take no part, by UID. */
    List<GangEntry> aside() {
        return List.copyOf(aside);
    }
}

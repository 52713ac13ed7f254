package dev.muster.engine;

import dev.muster.core.model.Admission;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.PodShape;
import dev.muster.core.model.Waiting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the engine keeps of one managed job: what it asks, where it stands, and which write of ours is under way. */
final class GangEntry implements Comparable<GangEntry> {
    /** An order that never changes. */
    static final Comparator<GangEntry> BY_UID = Comparator.comparing(entry -> entry.uid);

    final String uid;
    final String namespace;
    final String name;
    final String queue;
    final long submittedAt;
    /** Null while the job cannot be read, or not be decided about. */
    @Nullable
    Gang gang;

    GangStatus status;
    /** Why it is not decided about as it stands; null when it can be. */
    @Nullable
    Waiting blocked;
    /** The write that is under way; null when none is. */
    @Nullable
    Action pending;
    /** An admission of which nobody knows whether it was stored; its place is kept until the same write is answered. */
    Action.@Nullable Admit unsure;
    /** The version that our last write made; older sights of the job are passed over. Empty when it was seen. */
    String awaited = "";
    /** The version that a refused write has shown to be old: nothing is written before another is seen. */
    String outdated = "";
    /** Whether the job's controller was seen to have taken up the present admission. */
    boolean takenUp;
    /** Whether the admission it carries was made under a fence that is no longer valid. */
    boolean isVoid;
    /** UID of the gang that has claimed its place; empty when it need not go. */
    String doomedFor = "";
    /** The place that it gets when it is only to be moved and was not told yet; null otherwise. */
    @Nullable
    Admission movesWhenTold;
    /**
     * From when on its waiting counts, in milliseconds since the epoch: its submission and the time that it has run since, but
     * for attempts that ended by the cluster's fault. It changes only while the gang stands in no line.
     */
    long waitsSince;
    /** When its stop was first seen, in milliseconds since the epoch; 0 while it is not stopping. */
    long stoppingSince;
    /** Refused writes in a row. */
    int refusals;
    /** No write before this time, in milliseconds since the epoch. */
    long restsUntil;
    /** What the last refused write was told. */
    String refusal = "";
    /** The node class in which it holds a reservation; empty while it holds none. */
    String reservedIn = "";
    /** What was seen of its present admission; null while it has none. */
    @Nullable
    Course course;
    /** When it is to be told next why it waits, in milliseconds since the epoch; 0 while it stands in no list for that. */
    long tellAt;
    /** The lane it waits in; null when it does not wait. */
    @Nullable
    Lane lane;

    GangEntry(String uid, String namespace, String name, String queue, long submittedAt, GangStatus status) {
        this.uid = uid;
        this.namespace = namespace;
        this.name = name;
        this.queue = queue;
        this.submittedAt = submittedAt;
        this.status = status;
        waitAnew();
    }

    /** One that is not stored yet. */
    static GangEntry newcomer(Gang gang) {
        return new GangEntry(
                gang.uid(), gang.namespace(), gang.name(), gang.queue(), gang.submittedAt(), GangStatus.NOT_STORED);
    }

    /** Its waiting counts from its submission on, without the time that it has run. */
    final void waitAnew() {
        PastRuns past = status.marks().past();
        waitsSince = submittedAt + past.ran() - past.excused();
    }

    /** What was seen of its present admission. */
    final Course course() {
        Course known = course;
        if (known == null) {
            known = new Course();
            course = known;
        }
        return known;
    }

    /** When its work was saved last, as the job or a pod of it says, in milliseconds since the epoch; 0 when neither does. */
    long savedAt() {
        return Math.max(status.marks().lastCheckpoint().orElse(0), course == null ? 0 : course.saved);
    }

    /** The admission that counts: the one that is being written, else the stored one. */
    @Nullable
    Admission admission() {
        if (pending instanceof Action.Admit admit) {
            return admit.admission();
        }
        if (pending instanceof Action.Repair repair) {
            return repair.admission();
        }
        return status.admission() == null && unsure != null ? unsure.admission() : status.admission();
    }

    /** What it has claimed while it waits; null when nothing. */
    @Nullable
    Claim claim() {
        if (admission() != null || status.end() != GangStatus.End.NOT_YET) {
            return null;
        }
        return pending instanceof Action.MakeClaim make
                ? make.claim()
                : status.marks().claim();
    }

    /** The place that it gets once it has given up the one it has; null when it is not being moved. */
    @Nullable
    Admission movesTo() {
        Claim told = status.admission() == null ? null : status.marks().claim();
        return told == null ? movesWhenTold : told.place();
    }

    /** It need not go for another any more, or never had to. */
    void spare() {
        doomedFor = "";
        movesWhenTold = null;
    }

    /** It is looked at: should it be stopping, this is when that was first seen. */
    void noteStop(long now) {
        if (status.suspended() && status.admission() != null && stoppingSince == 0) {
            stoppingSince = now;
        }
    }

    /** Whether it has an admission that it has to give up. */
    boolean isStopping() {
        return admission() != null
                && (status.suspended() && !(pending instanceof Action.Admit)
                        || status.marks().stopAt().isPresent()
                        || !doomedFor.isEmpty()
                        || pending instanceof Action.Stop
                        || pending instanceof Action.Notice);
    }

    /**
     * What stands in the ledger for it: the gang as last read; else, when its job has become unreadable, what its admission
     * alone tells, which is charged as firm.
     */
    Gang holder() {
        Gang known = gang;
        Admission admission = admission();
        if (known != null || admission == null) {
            return Objects.requireNonNull(known, "a gang that was never read holds nothing");
        }
        List<PodSet> podsets = new ArrayList<>();
        for (Admission.PodSetPlace place : admission.podsets()) {
            PodShape shape = new PodShape(place.perMember(), List.of(), List.of());
            podsets.add(new PodSet(place.podset(), place.count(), 1, shape, false, null));
        }
        return new Gang(
                uid,
                namespace,
                name,
                queue,
                0,
                false,
                submittedAt,
                podsets,
                List.of(),
                List.of(),
                OptionalLong.empty());
    }

    /** Where it is in its life. */
    GangState state() {
        if (status.end() != GangStatus.End.NOT_YET) {
            return GangState.FINISHED;
        }
        if (admission() == null) {
            return GangState.WAITING;
        }
        if (pending instanceof Action.Admit) {
            return GangState.ADMITTED;
        }
        if (status.suspended() || status.state() == GangState.STOPPING) {
            return GangState.STOPPING;
        }
        return status.state() == GangState.RUNNING ? GangState.RUNNING : GangState.ADMITTED;
    }

    /** Whether what is known of it is surely as new as our own last write, so that the next one may be decided. */
    boolean isSettled() {
        return pending == null && awaited.isEmpty() && !status.resourceVersion().equals(outdated);
    }

    /** The write under way was stored, which made this version. */
    void stored(String version) {
        if (!(pending instanceof Action.Explain)) {
            refusals = 0;
            refusal = "";
        }
        pending = null;
        unsure = null;
        if (Versions.isOlder(status.resourceVersion(), version)) {
            awaited = version;
        }
    }

    /** The write under way was refused. Returns whether it may have been stored, so that its place has to be kept. */
    boolean refused(Event.WriteRefused refused, EngineSettings settings) {
        Action write = Objects.requireNonNull(pending, "a write that is refused is under way");
        boolean unchanged = status.resourceVersion().equals(write.target().resourceVersion());
        pending = null;
        if (write instanceof Action.Explain && refused.refusal() != Event.Refusal.STALE) {
            return unsure != null; // what people are told decides nothing; it is told again in time
        }
        switch (refused.refusal()) {
            case STALE -> outdated = unchanged ? status.resourceVersion() : outdated;
            case GONE -> {
                outdated = unchanged ? status.resourceVersion() : outdated;
                unsure = null;
            }
            case REFUSED -> {
                rest(refused, settings);
                unsure = null;
            }
            case UNKNOWN -> {
                rest(refused, settings);
                unsure = unchanged && write instanceof Action.Admit admit ? admit : null;
            }
            case REPLACED -> {}
        }
        return unsure != null;
    }

    private void rest(Event.WriteRefused refused, EngineSettings settings) {
        restsUntil = refused.at() + settings.backoff(refusals);
        refusals++;
        refusal = refused.message();
    }

    /**
     * An admission that comes up under our own lead, but not from us, is void.
     *
     * @param before the admission seen before; null for none
     * @param own the fence under which this engine leads; null while it does not
     */
    void judgeFence(@Nullable Admission before, GangStatus seen, @Nullable String own) {
        Admission admission = seen.admission();
        if (admission == null) {
            isVoid = false;
        } else if (own != null && !admission.equals(before)) {
            isVoid = !seen.fence().equals(own);
            takenUp = false;
        }
    }

    /** Its job is stored so now. What was seen of an admission is forgotten with it. */
    void become(GangStatus now) {
        Admission before = status.admission();
        Admission after = now.admission();
        boolean same = before != null
                && after != null
                && before.attempt() == after.attempt()
                && before.admittedAt() == after.admittedAt();
        course = same ? course : null;
        status = now;
    }

    Action.Target target() {
        return new Action.Target(uid, namespace, name, status.resourceVersion());
    }

    /** Order inside a lane: who waits longer, then UID. */
    @Override
    public int compareTo(GangEntry other) {
        int byWait = Long.compare(waitsSince, other.waitsSince);
        return byWait != 0 ? byWait : uid.compareTo(other.uid);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GangEntry entry && entry.uid.equals(uid);
    }

    @Override
    public int hashCode() {
        return uid.hashCode();
    }
}

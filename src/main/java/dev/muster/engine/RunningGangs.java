package dev.muster.engine;

import dev.muster.core.decide.Committed;
import dev.muster.core.decide.Quotas;
import dev.muster.core.fleet.Fleet;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Admission.PodSetPlace;
import dev.muster.core.model.Claim;
import dev.muster.core.model.Gang;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.PodSet;
import dev.muster.core.model.Queue;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What preemption has to know of the gangs that are committed.
 *
 * <p>An interruptible gang is protected for its queue's minRuntime from each admission on, doubled by each eviction in the
 * day before, at most eight times that, and for at least a tenth of the time that it has run before. A claim has no protection and costs nothing. The cost of a stop is its GPUs times the time
 * since start or checkpoint (at most a cap), a restart, and a penalty for each eviction within a day.
 */
final class RunningGangs implements Committed {
    private static final int MOST_DOUBLINGS = 3;
    private static final long PART_OF_PAST = 10;
    private static final long DAY = 86_400_000;

    private final EngineSettings settings;
    private final Map<String, GangEntry> gangs;
    private final Ledger ledger;
    private final Quotas quotas;
    private final Fleet fleet;
    private long known;
    private long knownAt = -1;
    private long knownSince;

    RunningGangs(EngineSettings settings, Map<String, GangEntry> gangs, Ledger ledger, Quotas quotas, Fleet fleet) {
        this.settings = settings;
        this.gangs = gangs;
        this.ledger = ledger;
        this.quotas = quotas;
        this.fleet = fleet;
    }

    @Override
    public boolean mayStop(String uid, long now) {
        GangEntry entry = gangs.get(uid);
        Gang gang = entry == null ? null : entry.gang;
        if (entry == null || gang == null || !gang.interruptible()) {
            return false;
        }
        Claim claim = entry.claim();
        if (claim != null) {
            return entry.isSettled() && !claim.victims().isEmpty(); // without victims it is about to start again
        }
        return !entry.isStopping() && protectedUntil(entry, gang) <= now;
    }

    /**
     * The earliest time after {@code now} at which some gang loses its protection; {@link Long#MAX_VALUE} when none does.
     * Worked out anew only when somebody has come since, or that time has passed.
     */
    @Override
    public long nextProtectionEnd(long now) {
        if (knownAt != ledger.version() || now >= known || now < knownSince) {
            known = Long.MAX_VALUE;
            for (String uid : ledger.placed()) {
                GangEntry entry = gangs.get(uid);
                Gang gang = entry == null ? null : entry.gang;
                if (entry != null && gang != null && gang.interruptible() && entry.admission() != null) {
                    long end = protectedUntil(entry, gang);
                    known = end > now ? Math.min(known, end) : known;
                }
            }
            knownAt = ledger.version();
            knownSince = now;
        }
        return known;
    }

    @Override
    public long cost(String uid, long now) {
        GangEntry entry = gangs.get(uid);
        Admission admission = entry == null ? null : entry.admission();
        if (entry == null || admission == null) {
            return 0;
        }
        long saved = Math.max(admission.admittedAt(), entry.savedAt());
        long lost = Math.min(Math.max(0, now - saved), settings.lossCap())
                + settings.restartCost()
                + settings.evictionPenalty() * entry.status.marks().past().evictionsAfter(now - DAY);
        return Math.min(1L << 50, Math.multiplyExact(Math.max(1, gpus(admission)), lost));
    }

    @Override
    public Map<String, long[]> bookings(String uid) {
        return fleet.resources().vectors(ledger.committedBookings(uid));
    }

    @Override
    public String title(String uid) {
        GangEntry entry = gangs.get(uid);
        return entry == null ? uid : entry.namespace + "/" + entry.name;
    }

    @Override
    public boolean isMovable(String uid, String nodeClass) {
        GangEntry entry = gangs.get(uid);
        Admission admission = entry == null ? null : entry.admission();
        return entry != null
                && entry.gang != null
                && admission != null
                && admission.yieldsTo().isEmpty()
                && isWholly(nodeClass, entry, admission);
    }

    /** Whether a gang takes all of its place, in one class, charged as it would be now: else its charge would rise. */
    private boolean isWholly(String nodeClass, GangEntry entry, Admission admission) {
        List<PodSet> podsets = entry.holder().podsets();
        List<PodSetPlace> places = admission.podsets();
        boolean whole = podsets.size() == places.size();
        for (int i = 0; whole && i < places.size(); i++) {
            PodSetPlace place = places.get(i);
            int remaining = entry.status.remaining().getOrDefault(place.podset(), place.count());
            whole = place.nodeClass().equals(nodeClass)
                    && place.count() == podsets.get(i).count()
                    && place.perMember()
                            .equals(quotas.chargeable(
                                    entry.queue,
                                    nodeClass,
                                    podsets.get(i).shape().requests()))
                    && remaining >= place.count();
        }
        return whole;
    }

    @Override
    public Gang gang(String uid) {
        GangEntry entry = gangs.get(uid);
        return Objects.requireNonNull(entry == null ? null : entry.gang, "a gang that may be moved is known");
    }

    private long protectedUntil(GangEntry entry, Gang gang) {
        Admission admission = entry.admission();
        return admission == null
                ? 0
                : admission.admittedAt()
                        + protection(
                                quotas.preemption(gang.queue()),
                                entry.status.marks().past(),
                                admission.admittedAt());
    }

    /** How long a gang with such a past is protected that is admitted then, in milliseconds. */
    static long protection(Queue.Preemption of, PastRuns past, long admittedAt) {
        int evictions = past.evictionsAfter(admittedAt - DAY);
        long doubled = of.minRuntime() << Math.min(evictions, MOST_DOUBLINGS);
        return Math.max(doubled, past.ran() / PART_OF_PAST);
    }

    private long gpus(Admission admission) {
        long gpus = 0;
        for (PodSetPlace place : admission.podsets()) {
            NodeClass of = fleet.nodeClass(place.nodeClass()).orElse(null);
            gpus += of == null ? 0 : place.charge().get(of.resource());
        }
        return gpus;
    }
}

package dev.muster.kube;

import dev.muster.core.model.Gang;
import dev.muster.core.model.GangMarks.Told;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.GangStatus.End;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Since when the runs of CronJobs wait. Under {@code concurrencyPolicy: Replace} a run that waits is deleted and the next one
 * comes at once in its stead: it goes on waiting since the first of them was stored, until one starts. What is stored of why a
 * gang waits keeps that time over a restart.
 */
final class CronWaits {
    /** How soon after a run has gone the next one counts as having come in its stead. */
    private static final long AT_ONCE = 60_000;

    private static final int REMEMBERED = 10_000;

    private final LongSupplier clock;
    private final Map<String, Run> runs = new HashMap<>();
    /** By UID of the CronJob, runs that went while they waited; the oldest are forgotten first. */
    private final Map<String, Left> left = new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Left> eldest) {
            return size() > REMEMBERED;
        }
    };

    private record Run(String cronJob, long since, boolean waits) {}

    private record Left(long since, long at) {}

    /** None yet; {@code clock} gives milliseconds since the epoch. */
    CronWaits(LongSupplier clock) {
        this.clock = clock;
    }

    /** The reading of a job, as submitted when its CronJob's waiting began; any other job's is left as it is. */
    synchronized GangReading seen(HasMetadata job, GangReading reading) {
        String cronJob = cronJob(job);
        if (cronJob == null || !(reading instanceof GangReading.Readable readable)) {
            return reading;
        }
        String uid = job.getMetadata().getUid();
        GangStatus status = readable.status();
        Run before = runs.get(uid);
        long since = before != null
                ? before.since()
                : since(cronJob, readable.gang(), status.marks().told());
        boolean waits = status.suspended() && status.admission() == null && status.end() == End.NOT_YET;
        runs.put(uid, new Run(cronJob, since, waits));
        return new GangReading.Readable(readable.gang().submitted(since), status);
    }

    /** A job is gone. */
    synchronized void gone(HasMetadata last) {
        Run run = runs.remove(last.getMetadata().getUid());
        if (run != null && run.waits()) {
            left.put(run.cronJob(), new Left(run.since(), clock.getAsLong()));
        }
    }

    private long since(String cronJob, Gang gang, @Nullable Told told) {
        Left replaced = left.remove(cronJob);
        long stored = told == null ? gang.submittedAt() : Math.min(told.since(), gang.submittedAt());
        return replaced == null || clock.getAsLong() - replaced.at() > AT_ONCE
                ? stored
                : Math.min(stored, replaced.since());
    }

    private static @Nullable String cronJob(HasMetadata job) {
        if (job.getMetadata().getOwnerReferences() == null) {
            return null;
        }
        return job.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()) && "CronJob".equals(owner.getKind()))
                .filter(owner -> String.valueOf(owner.getApiVersion()).startsWith("batch/"))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse(null);
    }
}

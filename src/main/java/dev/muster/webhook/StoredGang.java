package dev.muster.webhook;

import dev.muster.api.Marks;
import dev.muster.core.model.Admission;
import dev.muster.core.model.GangState;
import dev.muster.core.model.GangStatus;
import dev.muster.jobs.GangReader;
import dev.muster.jobs.JobReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored job as far as placing its pods depends on it.
 *
 * @param queue that is charged
 * @param ranked whether each member has its own exact node
 * @param fenceHolds whether its admission counts: written by the leader of that time, and not void
 */
public record StoredGang(String queue, GangStatus status, boolean ranked, boolean fenceHolds) {
    /** Reads it from a job of whatever kind; {@code ranked} is asked of each pod then. */
    public static StoredGang of(JobReader reader, HasMetadata job, boolean fenceHolds) {
        Map<String, String> labels = job.getMetadata().getLabels();
        String queue = labels == null ? "" : labels.getOrDefault(Marks.QUEUE, "");
        return new StoredGang(queue, reader.status(job), false, fenceHolds);
    }

    /** Reads it from the job. */
    public static StoredGang of(Job job, boolean fenceHolds) {
        Map<String, String> labels = job.getMetadata().getLabels();
        String queue = labels == null ? "" : labels.getOrDefault(Marks.QUEUE, "");
        return new StoredGang(queue, GangReader.status(job), GangReader.isRanked(job), fenceHolds);
    }

    /** The admission by which pods may be placed now; null when none may. */
    @Nullable
    Admission placing() {
        boolean open = !status.suspended()
                && fenceHolds
                && status.end() == GangStatus.End.NOT_YET
                && (status.state() == GangState.ADMITTED || status.state() == GangState.RUNNING);
        return open ? status.admission() : null;
    }
}

package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.JobChange;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/**
 * The batch Job. It has a reader of its own and no descriptor, because of what no other kind has: work queues, completions
 * in waves, indexes that have failed.
 */
public final class BatchJobs implements JobReader {
    @Override
    public KindName name() {
        return KindName.JOB;
    }

    @Override
    public GangReading read(HasMetadata job, Surroundings surroundings) {
        return GangReader.read((Job) job, surroundings);
    }

    @Override
    public GangStatus status(HasMetadata job) {
        return GangReader.status((Job) job);
    }

    @Override
    public Optional<Member> member(HasMetadata job, JsonNode pod) {
        boolean ranked = GangReader.isRanked((Job) job);
        return Optional.of(new Member(GangReader.PODSET, ranked, PodPlacement.rank(ranked, pod)));
    }

    @Override
    public String patch(HasMetadata job, JobChange change, Writing as) {
        return JobPatches.of(change, as.resourceVersion(), as.fence(), as.now());
    }
}

package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.JobChange;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Reads objects of one kind as gangs, and says how Muster's changes are written on them. */
public sealed interface JobReader permits BatchJobs, DescribedJobs {
    /** The kind. */
    KindName name();

    /** Reads the job; all that is wrong with it is reported at once. Never throws. */
    GangReading read(HasMetadata job, Surroundings surroundings);

    /** Where the job stands; an admission that cannot be read counts as none. Never throws. */
    GangStatus status(HasMetadata job);

    /** Which member a pod of the job is; empty when it says of no podset that it belongs to it. */
    Optional<Member> member(HasMetadata job, JsonNode pod);

    /** The change as a merge patch; {@code now} in milliseconds since the epoch. */
    String patch(JobChange change, String resourceVersion, String fence, long now);
}

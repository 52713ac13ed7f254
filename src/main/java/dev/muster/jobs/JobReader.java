package dev.muster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.JobChange;
import dev.muster.core.model.Toleration;
import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads objects of one kind as gangs, and says how Muster's changes are written on them. */
public sealed interface JobReader permits BatchJobs, DescribedJobs, GroupedPods, PlainPods {
    /** The kind. */
    KindName name();

    /** Reads the job; all that is wrong with it is reported at once. Never throws. */
    GangReading read(HasMetadata job, Surroundings surroundings);

    /** Where the job stands; an admission that cannot be read counts as none. Never throws. */
    GangStatus status(HasMetadata job);

    /** Which member a pod of the job is; empty when it says of no podset that it belongs to it. */
    Optional<Member> member(HasMetadata job, JsonNode pod);

    /**
     * The change as a merge patch.
     *
     * @param job as it was at the resourceVersion that stands in {@code as}
     */
    String patch(HasMetadata job, JobChange change, Writing as);

    /**
     * With what a change is written.
     *
     * @param resourceVersion the precondition
     * @param fence of the writer
     * @param now in milliseconds since the epoch
     * @param tolerations of a node class, by its name; none for a class that is not known
     */
    record Writing(String resourceVersion, String fence, long now, Function<String, List<Toleration>> tolerations) {}
}

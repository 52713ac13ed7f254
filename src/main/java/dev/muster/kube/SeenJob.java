package dev.muster.kube;

import dev.muster.jobs.JobReader;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A managed job as seen last.
 *
 * @param reader of its kind
 */
public record SeenJob(JobReader reader, HasMetadata job) {
    /** The namespace. */
    String namespace() {
        return job.getMetadata().getNamespace();
    }

    /** The name. */
    String name() {
        return job.getMetadata().getName();
    }

    /** The resourceVersion. */
    String version() {
        return job.getMetadata().getResourceVersion();
    }
}

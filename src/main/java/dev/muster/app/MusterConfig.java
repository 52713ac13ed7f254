package dev.muster.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What an operator sets. Each key is named {@code muster.<name>}; as an environment variable {@code MUSTER_<NAME>}. */
@ConfigMapping(prefix = "muster")
public interface MusterConfig {
    /** Where the cluster is: {@code auto} takes the local one when no kubeconfig and no service account are found. */
    @WithDefault("auto")
    Mode mode();

    /** TCP port of the admission webhook, 0 to 65535; 0 picks a free one. */
    @WithDefault("9443")
    int webhookPort();

    /** Which cluster Muster drives. */
    enum Mode {
        /** {@link #CLUSTER} when a service account or {@code KUBECONFIG} is given, else {@link #LOCAL}. */
        AUTO,
        /** A cluster in memory, with virtual nodes that run pods in scaled time. */
        LOCAL,
        /** The cluster of the kubeconfig or service account. */
        CLUSTER
    }
}

package dev.muster.app;

import dev.muster.engine.Cluster;
import java.time.InstantSource;

/** A kind of cluster that Muster can drive; one bean for each {@link MusterConfig.Mode} but AUTO. */
public interface ClusterSource {
    /** The mode that asks for this kind. */
    MusterConfig.Mode mode();

    /** Makes the cluster; called once, and only when its mode was chosen. */
    Cluster open();

    /** The time by which the engine decides; scaled time for a cluster in memory. */
    default InstantSource clock() {
        return InstantSource.system();
    }
}

package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The packaged jar as a process: it comes up with its own account, answers, ends in order, and survives a kill. */
@OnControlPlane
class MusterProcessIT {
    private final ControlPlane cluster;

    MusterProcessIT(ControlPlane cluster) {
        this.cluster = cluster;
    }

    @Test
    void itStarts_IsKilled_StartsAgain_AndEndsInOrder() {
        try (MusterProcess muster = MusterProcess.named(cluster, "process").start()) {
            assertThat(muster.metrics()).containsKey("jvm_threads_live_threads");

            muster.kill();
            assertThat(muster.isReady()).isFalse();

            muster.start();
            assertThat(muster.stop()).isEqualTo(143);
        }
    }
}

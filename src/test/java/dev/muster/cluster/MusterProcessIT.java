package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** The packaged jar as a process that a test can start, kill, start again and end in order. */
@OnControlPlane
class MusterProcessIT {
    private final ControlPlane cluster;

    MusterProcessIT(ControlPlane cluster) {
        this.cluster = cluster;
    }

    @Test
    void aKilledProcess_CanBeStartedAgain_AndEndsInOrder() {
        try (MusterProcess muster = MusterProcess.named(cluster, "process").startUnready()) {
            assertThat(muster.isAlive()).isTrue();

            muster.kill();
            assertThat(muster.isAlive()).isFalse();
            assertThat(muster.isReady()).isFalse();

            muster.startUnready();
            assertThat(muster.stop()).isEqualTo(143);
        }
    }

    @Test
    void aProcessThatCannotStart_FailsAtOnceWithTheEndOfItsLog() {
        try (MusterProcess muster =
                MusterProcess.named(cluster, "misconfigured").with("muster.mode", "nowhere")) {
            assertThatIllegalStateException()
                    .isThrownBy(muster::start)
                    .withMessageStartingWith("misconfigured ended with 1:")
                    .withMessageContaining("nowhere");
        }
    }
}

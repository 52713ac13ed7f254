package dev.muster.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.kube.LeaseTable.Fence;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two processes around one Lease of 15 s, on a clock that moves when told: under whose fence an admission counts. */
class LeadershipTest {
    private static final long SECOND = 1_000_000_000L;

    private final Stored stored = new Stored();
    private long now = Long.MAX_VALUE - 3 * SECOND;
    private final Leadership first = leadership("first");
    private final Leadership second = leadership("second");

    private Leadership leadership(String identity) {
        return new Leadership(
                stored,
                "muster-system",
                new LeaseTable(identity, 15 * SECOND, 10 * SECOND),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                () -> now);
    }

    /** One Lease, in memory. */
    private static final class Stored implements LeaseStore {
        private @Nullable Lease lease;
        private long version;
        private boolean reachable = true;

        @Override
        public @Nullable Lease read() {
            if (!reachable) {
                throw new KubernetesClientException("no route to host");
            }
            return lease;
        }

        @Override
        public Lease create(Lease fresh) {
            return store(new LeaseBuilder(fresh)
                    .editMetadata()
                    .withUid("u")
                    .endMetadata()
                    .build());
        }

        @Override
        public Lease update(Lease changed) {
            return store(changed);
        }

        private Lease store(Lease changed) {
            if (!reachable) {
                throw new KubernetesClientException("no route to host");
            }
            Lease next = new LeaseBuilder(changed)
                    .editMetadata()
                    .withResourceVersion(Long.toString(++version))
                    .endMetadata()
                    .build();
            lease = next;
            return next;
        }
    }

    private void passes(long seconds) {
        now += seconds * SECOND;
    }

    @Test
    void whileTheLeaderRenews_BothKnowItsFence_HoweverLong() {
        for (int i = 0; i < 30; i++) {
            first.round();
            second.round();
            passes(2);
            assertThat(first.present()).contains(new Fence("u", 0));
            assertThat(second.present()).contains(new Fence("u", 0));
        }
    }

    @Test
    void aLeaderThatCannotRenew_KnowsOfNoFence_FromItsRenewDeadlineOn() {
        first.round();
        stored.reachable = false;
        passes(9);
        assertThat(first.present()).contains(new Fence("u", 0));
        passes(1);
        assertThatThrownBy(first::round).hasMessageContaining("no route");
        assertThat(first.fence()).isEmpty();
        assertThat(first.present()).isEmpty();
    }

    @Test
    void aFollowerThatSawNoRenewalForTheDuration_KnowsOfNoFence_UntilItTakesTheLease() {
        first.round();
        second.round();
        passes(14);
        second.round();
        assertThat(second.present()).contains(new Fence("u", 0));
        passes(1);
        assertThat(second.present()).isEmpty();
        second.round();
        assertThat(second.present()).contains(new Fence("u", 1));
        assertThat(second.predecessor()).contains(new Fence("u", 0));
        // and the one that slept follows, and knows the new fence
        first.round();
        assertThat(first.fence()).isEmpty();
        assertThat(first.present()).contains(new Fence("u", 1));
    }

    @Test
    void aFollowerThatReadsNothing_KnowsOfNoFence_AfterTheDuration() {
        first.round();
        second.round();
        stored.reachable = false;
        passes(15);
        assertThat(second.present()).isEmpty();
    }

    @Test
    void aReleasedLeaseIsNobodysFence() {
        first.round();
        first.release();
        assertThat(first.present()).isEmpty();
        assertThat(second.present()).isEqualTo(Optional.empty());
        second.round();
        assertThat(second.present()).contains(new Fence("u", 1));
    }
}

package dev.muster.kube;

import dev.muster.kube.LeaseTable.Action;
import dev.muster.kube.LeaseTable.Fence;
import dev.muster.kube.LeaseTable.Seen;
import dev.muster.kube.LeaseTable.State;
import dev.muster.kube.LeaseTable.Step;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of this process in the Lease {@code muster-leader}: it reads the Lease, follows {@link LeaseTable} and writes.
 * The wall clock only fills fields for people to read.
 */
final class Leadership {
    /** Name of the Lease. */
    static final String NAME = "muster-leader";

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final LeaseStore store;
    private final String namespace;
    private final LeaseTable table;
    private final Clock clock;
    private final LongSupplier nanos;
    private volatile State state;
    private volatile @Nullable Fence predecessor;

    Leadership(LeaseStore store, String namespace, LeaseTable table, Clock clock, LongSupplier nanos) {
        this.store = store;
        this.namespace = namespace;
        this.table = table;
        this.clock = clock;
        this.nanos = nanos;
        this.state = LeaseTable.start(nanos.getAsLong());
    }

    /** The fence under which this process may write now; empty when it does not lead. */
    Optional<Fence> fence() {
        return Optional.ofNullable(table.fence(state, nanos.getAsLong()));
    }

    /**
     * The fence of whoever leads now, this process or another one, as far as is known here; empty once its Lease was not
     * seen renewed for as long as it lasts.
     */
    Optional<Fence> present() {
        return Optional.ofNullable(table.present(state, nanos.getAsLong()));
    }

    /** The fence of whoever led before; empty when the Lease was new. */
    Optional<Fence> predecessor() {
        return Optional.ofNullable(predecessor);
    }

    /** Reads the Lease once and does what the table says. Throws what the client throws; then nothing has changed here. */
    void round() {
        Lease read = store.read();
        Step step = table.observe(state, read == null ? null : seen(read), nanos.getAsLong());
        state = step.state();
        if (step.action() == Action.NOTHING) {
            return;
        }
        if (step.action() == Action.TAKE && read != null && seen(read).holder().equals(table.identity())) {
            LOG.warn(
                    "the lease {} is still held by this process, though it stopped to lead; it takes it anew."
                            + " Maybe renewals were late. If writes go on to be refused for a replaced leader, the API server's"
                            + " policy muster-fence sees an old Lease: it was deleted and applied again, and needs a restart"
                            + " of the API server",
                    seen(read).fence().text());
        }
        long sentAt = nanos.getAsLong();
        try {
            Seen written = seen(write(step.action(), read));
            if (step.action() != Action.RENEW) {
                predecessor = read == null ? null : seen(read).fence();
                LOG.info(
                        "this process leads: identity {}, fence {}",
                        table.identity(),
                        written.fence().text());
            }
            state = table.written(written, sentAt);
        } catch (KubernetesClientException e) {
            if (e.getCode() != 409) { // 409: somebody else was faster; the next round sees who
                throw e;
            }
        }
    }

    /** Follows from now on, because the API server says that another process leads; the next round sees who. */
    void doubt() {
        state = LeaseTable.start(nanos.getAsLong());
    }

    /** Gives the Lease up, so that another process can lead at once. A failure only costs the others the lease's duration. */
    void release() {
        Optional<Fence> fence = fence();
        state = LeaseTable.start(nanos.getAsLong());
        if (fence.isEmpty()) {
            return;
        }
        try {
            Lease read = store.read();
            if (read != null
                    && seen(read).fence().equals(fence.get())
                    && seen(read).holder().equals(table.identity())) {
                store.update(new LeaseBuilder(read)
                        .editSpec()
                        .withHolderIdentity("")
                        .withRenewTime(now())
                        .endSpec()
                        .build());
                LOG.info("the lease is released: fence {}", fence.get().text());
            }
        } catch (KubernetesClientException e) {
            LOG.warn("the lease could not be released; others wait until it runs out: {}", e.getMessage());
        }
    }

    private Lease write(Action action, @Nullable Lease read) {
        if (read == null) {
            return store.create(fresh());
        }
        LeaseBuilder changed = new LeaseBuilder(read);
        if (action == Action.TAKE) {
            int transitions = seen(read).transitions() + 1;
            changed.editOrNewSpec()
                    .withHolderIdentity(table.identity())
                    .withLeaseTransitions(transitions)
                    .withAcquireTime(now())
                    .withLeaseDurationSeconds(seconds())
                    .endSpec();
        }
        return store.update(changed.editSpec().withRenewTime(now()).endSpec().build());
    }

    private Lease fresh() {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(table.identity())
                .withLeaseTransitions(0)
                .withAcquireTime(now())
                .withRenewTime(now())
                .withLeaseDurationSeconds(seconds())
                .endSpec()
                .build();
    }

    private int seconds() {
        return (int) Math.max(1, table.durationNanos() / 1_000_000_000L);
    }

    private ZonedDateTime now() {
        return ZonedDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static Seen seen(Lease lease) {
        var spec = lease.getSpec();
        String holder = spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
        Integer transitions = spec == null ? null : spec.getLeaseTransitions();
        return new Seen(
                lease.getMetadata().getUid(),
                holder,
                transitions == null ? 0 : transitions,
                lease.getMetadata().getResourceVersion());
    }
}

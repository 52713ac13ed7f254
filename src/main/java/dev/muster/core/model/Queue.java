package dev.muster.core.model;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node of the quota tree.
 *
 * @param parent name of the parent; null for a root
 * @param owner who answers for it
 * @param weight its part of what is shared among siblings, 0 to 1,000,000; 0 comes last
 * @param namespaces from which gangs may be submitted; empty means all
 * @param quotas one for each node class and resource
 * @param stop whether it admits, holds or drains
 * @param ordering who goes first among gangs of equal priority
 * @param purpose what it is for
 */
public record Queue(
        String name,
        @Nullable String parent,
        String owner,
        long weight,
        Set<String> namespaces,
        List<Quota> quotas,
        Limits limits,
        Preemption preemption,
        Stop stop,
        Unspecific unspecific,
        Ordering ordering,
        Purpose purpose) {
    /** One for training that is ordered by slowdown. */
    public Queue(
            String name,
            @Nullable String parent,
            String owner,
            long weight,
            Set<String> namespaces,
            List<Quota> quotas,
            Limits limits,
            Preemption preemption,
            Stop stop,
            Unspecific unspecific) {
        this(
                name,
                parent,
                owner,
                weight,
                namespaces,
                quotas,
                limits,
                preemption,
                stop,
                unspecific,
                Ordering.SLOWDOWN,
                Purpose.TRAINING);
    }

    public Queue {
        namespaces = Set.copyOf(namespaces);
        quotas = List.copyOf(quotas);
    }

    /** Whether it has a quota of this resource of this class. */
    public boolean names(String nodeClass, String resource) {
        return quotas.stream()
                .anyMatch(quota ->
                        quota.nodeClass().equals(nodeClass) && quota.resource().equals(resource));
    }

    /** How long an admitted gang is safe from preemption, and how long it has to stop; both in milliseconds. */
    public record Preemption(long minRuntime, long grace) {
        /** Ten minutes and one minute. */
        public static final Preemption DEFAULT = new Preemption(600_000, 60_000);
    }

    /**
     * What a queue has of one resource of one node class, in the units of {@link Amounts}. An empty limit is no limit.
     *
     * @param firmLending what firm gangs of others may take of it; 0 when not given
     * @param reserve what is kept free of others' firm work beside the present use, up to nominal
     */
    public record Quota(
            String nodeClass,
            String resource,
            long nominal,
            OptionalLong borrowing,
            OptionalLong lending,
            long firmLending,
            long reserve) {
        /** One that keeps nothing free. */
        public Quota(
                String nodeClass,
                String resource,
                long nominal,
                OptionalLong borrowing,
                OptionalLong lending,
                long firmLending) {
            this(nodeClass, resource, nominal, borrowing, lending, firmLending, 0);
        }
    }

    /** Bounds on single gangs and on the backlog; empty means none. Run time in milliseconds. */
    public record Limits(
            OptionalLong maxRuntime, OptionalLong maxGangGpus, OptionalInt maxPending, OptionalInt maxPriority) {
        /** No bound at all. */
        public static final Limits NONE =
                new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** Whether a queue takes part. */
    public enum Stop {
        NONE,
        HOLD,
        DRAIN
    }

    /** What a queue is for. */
    public enum Purpose {
        /** Gangs that end. */
        TRAINING("Training"),
        /** Services that answer requests: never interruptible. */
        SERVING("Serving"),
        /** People at work, for a short time each. */
        INTERACTIVE("Interactive");

        private final String wireName;

        Purpose(String wireName) {
            this.wireName = wireName;
        }

        /** The name as it stands in resources and metrics. */
        public String wireName() {
            return wireName;
        }
    }

    /** Who goes first among gangs of equal priority. */
    public enum Ordering {
        /** Whose wait is the most multiples of its expected run time. */
        SLOWDOWN,
        /** Who waits longest. */
        FIFO
    }

    /** What becomes of a GPU request that names neither class nor requirement. */
    public enum Unspecific {
        ALLOW,
        WARN,
        REFUSE
    }
}

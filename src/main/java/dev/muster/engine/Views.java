package dev.muster.engine;

import dev.muster.core.decide.QueueMemory;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Amounts;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangState;
import dev.muster.core.model.PastRuns;
import dev.muster.core.model.Waiting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be asked of the engine. Answers are values, taken between two cycles. */
public interface Views {
    /** All queues, by name. */
    List<QueueView> queues();

    /** One queue. */
    Optional<QueueView> queue(String name);

    /** One gang. */
    Optional<GangView> gang(String namespace, String name);

    /** Gangs of all namespaces, as {@link #gangs(String, GangState, Set, int)} has them. */
    default List<GangView> gangs(@Nullable String queue, @Nullable GangState state, int limit) {
        return gangs(queue, state, null, limit);
    }

    /**
     * Gangs in the given state (null: any) of the given queue (null: any) in the given namespaces (null: all): waiting ones
     * in line order, others the newest admission first, or submission where there is none, and then by namespace and name.
     */
    List<GangView> gangs(
            @Nullable String queue, @Nullable GangState state, @Nullable Set<String> namespaces, int limit);

    /** Namespaces in which there is some gang, sorted. */
    List<String> namespaces();

    /** Resources that some node class names as its GPU. */
    Set<String> gpuResources();

    /** All node classes, by name. */
    List<NodeClassView> nodeClasses();

    /** What would become of a gang that is not stored yet, if it were submitted now. Nothing is kept of it. */
    Assessment assess(Gang gang);

    /** All reservations, class by class in rank order. */
    List<Promise> promises();

    /** What has to be stored so that a restart goes on from it. It is for nobody's eyes: it names gangs of all teams. */
    ToStore toStore();

    /**
     * What is remembered.
     *
     * @param queues what is learned of each queue, renewed every few minutes
     * @param classes the reservations in each node class in rank order, renewed every few seconds
     */
    record ToStore(Map<String, QueueMemory> queues, Map<String, List<Promise>> classes) {}

    /**
     * A reservation now.
     *
     * @param title namespace and name of the gang
     * @param rank from 1
     * @param at milliseconds since the epoch by which the gang starts; {@link Reservation#NEVER} when that is not known
     * @param place nodes that are kept, sorted; empty when there are none yet
     * @param collecting whether nobody else may start on them meanwhile
     * @param slips how often {@code at} rose
     * @param cause why it is what it is
     */
    record Promise(
            String gangUid,
            String title,
            String nodeClass,
            int rank,
            long at,
            List<String> place,
            boolean collecting,
            int slips,
            Reservation.Cause cause) {}

    /**
     * A gang looked at from the door.
     *
     * @param never why queues and fleet as declared can never run it; null when they could
     * @param waiting why it would wait; null when quota and place are there
     * @param ahead how many waiting gangs of its queue would go before it
     */
    record Assessment(@Nullable Waiting never, @Nullable Waiting waiting, int ahead) {}

    /**
     * A queue now.
     *
     * @param problem what is wrong with it; empty when nothing is
     */
    record QueueView(
            String name,
            @Nullable String parent,
            String owner,
            long weight,
            List<QuotaView> quotas,
            int waiting,
            int admitted,
            int running,
            String problem) {}

    /** Quota of one resource of one node class: amounts in the units of {@link Amounts}. */
    record QuotaView(String nodeClass, String resource, long nominal, long used, long waiting) {}

    /**
     * A gang now.
     *
     * @param charge what it takes, or would take, of quota
     * @param place in line among the waiting gangs of its queue, from 1; 0 when it does not wait
     * @param waiting why it waits; null when it does not
     * @param admission its admission; null when it has none
     * @param promise the reservation that it holds; null when it holds none
     * @param trouble what is wrong with it while it has an admission; null when nothing is
     * @param past what it has behind it
     */
    record GangView(
            String uid,
            String namespace,
            String name,
            String queue,
            GangState state,
            int priority,
            boolean interruptible,
            long submittedAt,
            int members,
            Amounts charge,
            int place,
            @Nullable Waiting waiting,
            @Nullable Admission admission,
            @Nullable Promise promise,
            @Nullable Waiting trouble,
            PastRuns past) {
        /** One with nothing behind it and nothing wrong. */
        public GangView(
                String uid,
                String namespace,
                String name,
                String queue,
                GangState state,
                int priority,
                boolean interruptible,
                long submittedAt,
                int members,
                Amounts charge,
                int place,
                @Nullable Waiting waiting,
                @Nullable Admission admission,
                @Nullable Promise promise) {
            this(
                    uid,
                    namespace,
                    name,
                    queue,
                    state,
                    priority,
                    interruptible,
                    submittedAt,
                    members,
                    charge,
                    place,
                    waiting,
                    admission,
                    promise,
                    null,
                    PastRuns.NONE);
        }
    }

    /**
     * A node class now.
     *
     * @param missingNodes nodes that do not exist yet and that waiting gangs want: those that only new nodes can serve
     * @param problems one sentence each: unclassified, ambiguous or untainted nodes
     */
    record NodeClassView(
            String name,
            String resource,
            int nodes,
            int readyNodes,
            long gpus,
            long freeGpus,
            int missingNodes,
            List<NodeView> fleet,
            List<String> problems) {
        /** GPUs that gangs and other pods hold; idle ones on a node that is not ready are neither used nor free. */
        public long usedGpus() {
            return fleet.stream()
                    .mapToLong(node -> node.gpus() - node.freeGpus())
                    .sum();
        }
    }

    /**
     * A node now: GPUs it offers and GPUs still free.
     *
     * @param oddity what is odd about it, in words; empty when nothing is
     * @param struck whether it takes nobody because it refused members
     */
    record NodeView(String name, boolean ready, long gpus, long freeGpus, String oddity, boolean struck) {
        /** One about which nothing is odd. */
        public NodeView(String name, boolean ready, long gpus, long freeGpus) {
            this(name, ready, gpus, freeGpus, "", false);
        }
    }
}

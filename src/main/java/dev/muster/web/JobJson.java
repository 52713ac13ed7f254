package dev.muster.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.muster.core.decide.reserve.Reservation;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Waiting;
import dev.muster.engine.Views.GangView;
import dev.muster.engine.Views.Promise;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A gang as REST shows it.
 *
 * @param reason why it waits, or what is wrong with it, by its stable name; null when it does neither
 * @param sentence where it stands, in one sentence with figures
 * @param help what would help; empty when nothing can be said
 * @param line its place among the waiting gangs of its queue, from 1; 0 when it does not wait
 * @param gpus GPUs that it takes, or would take: only what some node class names as its resource
 * @param place null when it has none
 * @param reservation null when it holds none
 * @param attempts what it has behind it, oldest first
 */
@Schema(name = "Job", description = "A gang: all pods of one job, admitted together.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobJson(
        String namespace,
        String name,
        String uid,
        String queue,

        @Schema(description = "waiting, admitted, running, stopping or finished", examples = "waiting")
        String state,

        @Schema(
                description = "Why it waits, or what is wrong with it, by its stable name; absent otherwise.",
                examples = "QuotaExhausted")
        @Nullable
        String reason,

        @Schema(description = "Where it stands, in one sentence with figures.")
        String sentence,

        @Schema(description = "What would help; empty when nothing can be said.")
        String help,

        @Schema(description = "Place among the waiting gangs of its queue, from 1; 0 when it does not wait.")
        int line,

        int priority,
        boolean interruptible,
        Instant submittedAt,
        int members,

        @Schema(description = "GPUs that it takes, or would take.")
        long gpus,

        @Schema(description = "What it charges to quota: cpu in thousandths of a core, memory in bytes, else units.")
        Map<String, Long> charge,

        @Nullable PlaceJson place,
        @Nullable ReservationJson reservation,

        @Schema(description = "What it has behind it, oldest first; at most eight.")
        List<AttemptJson> attempts) {

    /**
     * What is kept for a gang that waits.
     *
     * @param rank from 1
     * @param startsBy by when it starts; null when that is not known
     * @param nodes that are kept; empty when there are none yet
     * @param collecting whether nobody else may start on them meanwhile
     * @param slips how often the time rose
     * @param cause why the time is what it is
     */
    @Schema(name = "Reservation", description = "A time and nodes that are kept for a gang that waits.")
    public record ReservationJson(
            String nodeClass,
            int rank,

            @Schema(description = "By when it starts; absent when that is not known.") @Nullable
            Instant startsBy,

            List<String> nodes,
            boolean collecting,
            int slips,

            @Schema(description = "Why the time is what it is.", examples = "Planned")
            String cause) {}

    /** Where a gang was admitted to. */
    @Schema(name = "Place", description = "Where a gang was admitted to.")
    public record PlaceJson(int attempt, Instant admittedAt, List<PodSetJson> podsets) {}

    /** Where one podset goes. */
    @Schema(name = "PodSetPlace", description = "Where one podset goes, its nodes in rank order.")
    public record PodSetJson(String podset, String nodeClass, List<NodeJson> nodes) {}

    /** So many members on one node. */
    @Schema(name = "NodeSlots", description = "So many members on one node.")
    public record NodeJson(String node, int members) {}

    /** The view of a gang. */
    static JobJson of(GangView gang, Gpus gpus) {
        Waiting waiting = gang.waiting() == null ? gang.trouble() : gang.waiting();
        return new JobJson(
                gang.namespace(),
                gang.name(),
                gang.uid(),
                gang.queue(),
                gang.state().label(),
                waiting == null ? null : waiting.reason().wireName(),
                waiting == null ? sentence(gang) : waiting.sentence(),
                waiting == null ? "" : waiting.help(),
                gang.place(),
                gang.priority(),
                gang.interruptible(),
                Instant.ofEpochMilli(gang.submittedAt()),
                gang.members(),
                gpus.in(gang.charge()),
                gang.charge().byResource(),
                gang.admission() == null ? null : place(gang.admission()),
                gang.promise() == null ? null : reservation(gang.promise()),
                AttemptJson.of(gang.past()));
    }

    private static ReservationJson reservation(Promise promise) {
        return new ReservationJson(
                promise.nodeClass(),
                promise.rank(),
                promise.at() == Reservation.NEVER ? null : Instant.ofEpochMilli(promise.at()),
                promise.place(),
                promise.collecting(),
                promise.slips(),
                promise.cause().wireName());
    }

    private static PlaceJson place(Admission admission) {
        return new PlaceJson(
                admission.attempt(),
                Instant.ofEpochMilli(admission.admittedAt()),
                admission.podsets().stream()
                        .map(podset -> new PodSetJson(
                                podset.podset(),
                                podset.nodeClass(),
                                podset.nodes().stream()
                                        .map(slots -> new NodeJson(slots.node(), slots.members()))
                                        .toList()))
                        .toList());
    }

    private static String sentence(GangView gang) {
        return switch (gang.state()) {
            case WAITING -> "It waits.";
            case ADMITTED -> "It was admitted to " + where(gang) + " and starts.";
            case RUNNING -> "It runs on " + where(gang) + ".";
            case STOPPING -> "It is being stopped; its charge ends when all of its pods are gone.";
            case FINISHED -> "It has finished.";
        };
    }

    private static String where(GangView gang) {
        Admission admission = gang.admission();
        if (admission == null) {
            return "a place that is not recorded";
        }
        long nodes = admission.podsets().stream()
                .flatMap(podset -> podset.nodes().stream())
                .map(Admission.NodeSlots::node)
                .distinct()
                .count();
        String first = admission.podsets().get(0).nodes().get(0).node();
        String classes = String.join(
                ", ",
                admission.podsets().stream()
                        .map(Admission.PodSetPlace::nodeClass)
                        .distinct()
                        .toList());
        return nodes == 1 ? first + " (" + classes + ")" : nodes + " nodes of " + classes;
    }
}

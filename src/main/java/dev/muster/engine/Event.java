package dev.muster.engine;

import dev.muster.core.decide.QueueMemory;
import dev.muster.core.model.Gang;
import dev.muster.core.model.GangReading;
import dev.muster.core.model.GangStatus;
import dev.muster.core.model.NodeClass;
import dev.muster.core.model.NodeFacts;
import dev.muster.core.model.PodFacts;
import dev.muster.core.model.Queue;
import dev.muster.core.model.Reason;
import dev.muster.core.model.Waiting;
import java.util.List;

/** What happened outside, in the order in which it was seen. Seeing the same thing twice changes nothing. */
public sealed interface Event {
    /** What it means that a stored job was read. */
    static Event of(GangReading reading) {
        if (reading instanceof GangReading.Readable readable) {
            return new GangSeen(readable.gang(), readable.status());
        }
        if (reading instanceof GangReading.Blocked blocked) {
            return new GangBlocked(
                    blocked.uid(),
                    blocked.namespace(),
                    blocked.name(),
                    blocked.queue(),
                    blocked.submittedAt(),
                    blocked.status(),
                    blocked.waiting());
        }
        GangReading.Unreadable none = (GangReading.Unreadable) reading;
        return unreadable(
                none.uid(),
                none.namespace(),
                none.name(),
                none.queue(),
                none.submittedAt(),
                none.status(),
                none.problem());
    }

    /** A managed job is stored that cannot be read as a gang; {@code problem} says why, for its owner. */
    static GangBlocked unreadable(
            String uid,
            String namespace,
            String name,
            String queue,
            long submittedAt,
            GangStatus status,
            String problem) {
        Waiting waiting = new Waiting(
                Reason.UNREADABLE,
                "The job cannot be read as a gang: " + problem,
                "Delete it and submit it again, corrected.");
        return new GangBlocked(uid, namespace, name, queue, submittedAt, status, waiting);
    }

    /** A managed job was created or changed, as stored now. */
    record GangSeen(Gang gang, GangStatus status) implements Event {}

    /** A managed job is stored that is not to be decided about as it stands; {@code waiting} says why, for its owner. */
    record GangBlocked(
            String uid,
            String namespace,
            String name,
            String queue,
            long submittedAt,
            GangStatus status,
            Waiting waiting)
            implements Event {}

    /** A managed job is gone from the API server; its pods may live on. */
    record GangDeleted(String uid) implements Event {}

    /** A node was created or changed. */
    record NodeSeen(NodeFacts node) implements Event {}

    /** A node is gone. */
    record NodeDeleted(String name) implements Event {}

    /** A pod that is bound to a node, or belongs to a managed job, was created or changed. */
    record PodSeen(PodFacts pod) implements Event {}

    /** A pod is gone. */
    record PodDeleted(String uid) implements Event {}

    /** A queue was created or changed. */
    record QueueSeen(Queue queue) implements Event {}

    /** What was stored of what is learned of a queue; only who does not lead goes by it. */
    record QueueRemembered(String queue, QueueMemory memory) implements Event {}

    /** The stored reservations of a class, in rank order; only who does not lead goes by them. */
    record PromisesRemembered(String nodeClass, List<Views.Promise> promises) implements Event {
        public PromisesRemembered {
            promises = List.copyOf(promises);
        }
    }

    /** A queue is gone. */
    record QueueDeleted(String name) implements Event {}

    /** A node class was created or changed. */
    record ClassSeen(NodeClass nodeClass) implements Event {}

    /** A node class is gone. */
    record ClassDeleted(String name) implements Event {}

    /**
     * Every watch has delivered its first list: decisions may begin. {@code fence} is the writer's own fence; an admission
     * with another fence that is first seen after this is void.
     */
    record Synced(String fence) implements Event {}

    /** This process no longer leads (or a watch is lost): no plan leaves until the next {@link Synced}. */
    record Unsynced() implements Event {}

    /** A write was carried out; {@code resourceVersion} is the object's new one. */
    record WriteDone(String uid, String resourceVersion) implements Event {}

    /** A write did not happen, or nobody knows whether it did. */
    record WriteRefused(String uid, Refusal refusal, String message, long at) implements Event {}

    /** Why a write was refused. */
    enum Refusal {
        /** The object has changed since; what it is now comes, or came, as an event. */
        STALE,
        /** The object is gone. */
        GONE,
        /** A policy or the schema says no. */
        REFUSED,
        /** No answer, or an error of the server: it may have happened. The object must be read anew before the next write. */
        UNKNOWN,
        /** The fence says that this writer has been replaced. */
        REPLACED
    }
}

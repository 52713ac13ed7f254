package dev.muster.core.model;

import java.util.Arrays;
import java.util.Optional;

/** Why a gang is where it is. The names are stable: they stand in Events, metrics, REST and alerts. */
public enum Reason {
    /** Its queue, or one above it, has too little quota left. */
    QUOTA_EXHAUSTED("QuotaExhausted"),
    /** Nominal quota is free, but the class has less usable capacity than its quotas promise. */
    UNBACKED("Unbacked"),
    /** The class has too few free GPUs, or no node that the pods accept. */
    NO_NODE_FITS("NoNodeFits"),
    /** There are enough free GPUs, but scattered over too many nodes. */
    FRAGMENTED("Fragmented"),
    /** No domain of the required topology is large enough. */
    TOPOLOGY_TOO_SMALL("TopologyTooSmall"),
    /** No class meets what the job requires. */
    REQUIREMENT_UNMET("RequirementUnmet"),
    /** Room that it would need is reserved for gangs before it, which it would delay. */
    RESERVED_FOR_OTHERS("ReservedForOthers"),
    /** Serving queues keep what is left for scale-up; only interruptible work may use it. */
    KEPT_FOR_SERVING("KeptForServing"),
    /** Its place is claimed, or being freed: it waits for gangs that are stopping. */
    WAITING_FOR_VICTIMS("WaitingForVictims"),
    /** It has run as long as it may, over all attempts. */
    OUT_OF_TIME("OutOfTime"),
    /** It was stopped for a gang that is due its place. */
    PREEMPTED("Preempted"),
    /** Its members did not all become ready in time. */
    START_FAILED("StartFailed"),
    /** Its place cannot be used: something else took it, or the nodes refuse its members. */
    PLACE_LOST("PlaceLost"),
    /** A node on which it ran is gone, or not ready for too long. */
    NODE_LOST("NodeLost"),
    /** A member is gone and was not replaced in time. */
    MEMBER_LOST("MemberLost"),
    /** Fewer members run than it needs; they are being replaced. */
    BELOW_MINIMUM("BelowMinimum"),
    /** Its queue, or a node on which it runs, is being drained. */
    DRAINED("Drained"),
    /** It has failed too often by its own fault. */
    FAILED_TOO_OFTEN("FailedTooOften"),
    /** Only nodes that do not exist yet can serve it. */
    WAITING_FOR_CAPACITY("WaitingForCapacity"),
    /** The fleet as declared, or the queue's limits, can never run it. */
    NEVER_RUNNABLE("NeverRunnable"),
    /** No queue of this name exists. */
    QUEUE_UNKNOWN("QueueUnknown"),
    /** The queue's place in the tree is broken: its parent is unknown, or it is part of a cycle. */
    QUEUE_BROKEN("QueueBroken"),
    /** The queue does not take jobs from this namespace. */
    NAMESPACE_NOT_ALLOWED("NamespaceNotAllowed"),
    /** The queue admits nothing for now. */
    QUEUE_STOPPED("QueueStopped"),
    /** As many gangs as the queue takes wait there already; it stands outside until one of them leaves. */
    QUEUE_FULL("QueueFull"),
    /** The stored job cannot be read as a gang. */
    UNREADABLE("Unreadable"),
    /** Not all pods of its group are there. */
    INCOMPLETE("Incomplete"),
    /** Its group has all of its pods without it. */
    SURPLUS("Surplus"),
    /** A scheduling gate of somebody else's is on its pods. */
    FOREIGN_GATE("ForeignGate"),
    /** Somebody else took Muster's gate away: it runs without a decision of Muster's, and is charged. */
    OVERRIDDEN("Overridden"),
    /** A write was refused; it is tried again later. */
    BACKING_OFF("BackingOff"),
    /** It is first in line and will be looked at next. */
    NEXT_IN_LINE("NextInLine"),
    /** Others in its queue go first. */
    BEHIND_OTHERS("BehindOthers");

    private final String wireName;

    Reason(String wireName) {
        this.wireName = wireName;
    }

    /** The reason with this stable name; empty when there is none. */
    public static Optional<Reason> named(String wireName) {
        return Arrays.stream(values())
                .filter(reason -> reason.wireName.equals(wireName))
                .findFirst();
    }

    /** Whether it does not pass by itself: the job, its queue or the fleet has to be changed. */
    public boolean needsSomebody() {
        return switch (this) {
            case REQUIREMENT_UNMET,
                    NEVER_RUNNABLE,
                    QUEUE_UNKNOWN,
                    QUEUE_BROKEN,
                    NAMESPACE_NOT_ALLOWED,
                    UNREADABLE,
                    INCOMPLETE,
                    SURPLUS,
                    FOREIGN_GATE,
                    OVERRIDDEN,
                    OUT_OF_TIME,
                    FAILED_TOO_OFTEN -> true;
            default -> false;
        };
    }

    /** The name as it stands in Events, metrics and REST. */
    public String wireName() {
        return wireName;
    }
}

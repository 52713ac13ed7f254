package dev.muster.core.model;

import java.util.OptionalLong;

/**
 * What a pod tells of itself besides its phase. Times in milliseconds since the epoch.
 *
 * @param trouble what has gone wrong with it
 * @param exitCode of the container that failed; 0 when none did
 * @param reason the cluster's own word for the trouble, such as {@code OOMKilled}; empty when there is none
 * @param message what it said last, cut to {@link #LONGEST}; empty when nothing
 * @param attempt which admission of its gang made it; 0 when it was not stamped
 * @param lastCheckpoint when its trainer saved its work last, as the pod says
 * @param stopAt when it was told that it will be stopped
 */
public record PodReport(
        Trouble trouble,
        int exitCode,
        String reason,
        String message,
        int attempt,
        OptionalLong lastCheckpoint,
        OptionalLong stopAt) {
    /** Most characters of a message that are kept. */
    public static final int LONGEST = 200;
    /** A pod that says nothing. */
    public static final PodReport NONE =
            new PodReport(Trouble.NONE, 0, "", "", 0, OptionalLong.empty(), OptionalLong.empty());

    public PodReport {
        message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 3) + "...";
    }

    /** One that only tells of trouble. */
    public static PodReport of(Trouble trouble, int exitCode, String reason, String message) {
        return new PodReport(trouble, exitCode, reason, message, 0, OptionalLong.empty(), OptionalLong.empty());
    }

    /** The same of a pod that this admission of its gang made. */
    public PodReport in(int ofAttempt) {
        return new PodReport(trouble, exitCode, reason, message, ofAttempt, lastCheckpoint, stopAt);
    }

    /** The same with other notes on it. */
    public PodReport noted(OptionalLong checkpoint, OptionalLong stop) {
        return new PodReport(trouble, exitCode, reason, message, attempt, checkpoint, stop);
    }

    /** What can go wrong with a member, and whose fault that is. */
    public enum Trouble {
        /** Nothing, as far as is known. */
        NONE(Fault.NOBODY),
        /** Its image cannot be had. */
        IMAGE(Fault.JOB),
        /** Its containers cannot be made as the template says. */
        CONFIGURATION(Fault.JOB),
        /** Its containers end again and again. */
        CRASHING(Fault.JOB),
        /** It has ended with an error. */
        FAILED(Fault.JOB),
        /** The scheduler finds no node for it, though it has a place. */
        UNSCHEDULABLE(Fault.CLUSTER),
        /** The node took it and then refused it. */
        REFUSED(Fault.CLUSTER),
        /** A device that it was given cannot be used. */
        DEVICE(Fault.CLUSTER),
        /** The cluster took it away: evicted, preempted, or its node went. */
        DISRUPTED(Fault.CLUSTER);

        private final Fault fault;

        Trouble(Fault fault) {
            this.fault = fault;
        }

        /** Whose fault it is. */
        public Fault fault() {
            return fault;
        }
    }

    /** Whose fault it is that an attempt ended. */
    public enum Fault {
        NOBODY("none"),
        CLUSTER("cluster"),
        JOB("job");

        private final String wireName;

        Fault(String wireName) {
            this.wireName = wireName;
        }

        /** The name as it stands in the history, metrics and REST. */
        public String wireName() {
            return wireName;
        }
    }
}

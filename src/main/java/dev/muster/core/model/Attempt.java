package dev.muster.core.model;

import dev.muster.core.model.PodReport.Fault;
import java.util.List;

/**
 * One time that a gang was admitted and gave its place back, with what is left of it as evidence. Times in milliseconds since
 * the epoch.
 *
 * @param number which admission of the gang it was, from 1
 * @param from when it was admitted
 * @param until when it had given its place back; 0 while it is still leaving
 * @param why stable name of the reason for which it was stopped; empty when Muster did not stop it
 * @param fault whose fault that was
 * @param ran whether all of its members were ready once
 * @param losses what had gone wrong with its members, the first {@link #MOST_LOSSES} at most
 */
public record Attempt(int number, long from, long until, String why, Fault fault, boolean ran, List<Loss> losses) {
    /** Of so many members the evidence is kept. */
    public static final int MOST_LOSSES = 4;

    public Attempt {
        losses = List.copyOf(losses.subList(0, Math.min(losses.size(), MOST_LOSSES)));
    }

    /** The same, over. */
    Attempt endedAt(long time) {
        return new Attempt(number, from, time, why, fault, ran, losses);
    }

    /** How long it held its place, in milliseconds; 0 while that is not known. */
    public long length() {
        return Math.max(0, until - from);
    }

    /**
     * A member that failed.
     *
     * @param node where it was; empty when it had none
     * @param exitCode of the container that failed; 0 when none did
     * @param reason the cluster's own word for it
     * @param message what it said last
     */
    public record Loss(String pod, String node, int exitCode, String reason, String message) {
        /** What happened to it, for people, to follow the word "member". */
        public String sentence() {
            String where = node.isEmpty() ? "" : " on " + node;
            String exit = exitCode == 0 ? "" : ", exit code " + exitCode;
            String said = message.isEmpty() ? "" : ": " + message;
            return pod + where + ": " + reason + exit + said + (said.endsWith(".") ? "" : ".");
        }
    }
}

package dev.muster.engine;

import java.util.Optional;

/**
 * What people are told of a write on a job, as an Event of the cluster.
 *
 * @param warning whether it is no everyday matter
 * @param reason stable name
 * @param action what was done, in one word
 * @param sentence what happened, with figures
 */
public record Announcement(boolean warning, String reason, String action, String sentence) {
    /** Of this write; empty when it is not worth an Event. */
    public static Optional<Announcement> of(Action write) {
        if (write instanceof Action.Admit admit) {
            return Optional.of(new Announcement(false, "Admitted", "Admit", admit.sentence()));
        }
        if (write instanceof Action.Repair repair) {
            return Optional.of(new Announcement(false, "Repaired", "Repair", repair.sentence()));
        }
        if (write instanceof Action.Notice notice) {
            return Optional.of(new Announcement(true, notice.reason().wireName(), "Notice", notice.sentence()));
        }
        if (write instanceof Action.Stop stop) {
            return Optional.of(new Announcement(true, "Stopped", "Stop", stop.sentence()));
        }
        if (write instanceof Action.Finish finish) {
            return Optional.of(new Announcement(true, "EndedWhileStopping", "Finish", finish.sentence()));
        }
        return write instanceof Action.Explain explain && explain.reason().needsSomebody()
                ? Optional.of(new Announcement(true, explain.reason().wireName(), "Wait", explain.sentence()))
                : Optional.empty();
    }
}

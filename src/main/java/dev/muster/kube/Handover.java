package dev.muster.kube;

import dev.muster.engine.Event.Refusal;
import dev.muster.kube.LeaseTable.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The wait of a new leader until the API server is seen to refuse its predecessor's fence. It asks by dry runs, on one job
 * after the other as long as they give no answer, and is bounded: no probe begins after the bound, so the wait ends at the
 * bound or with the answer to the request that is under way then. No wait closes the window for good, so the new leader
 * goes on however it ends; later admissions under the old fence are void.
 */
final class Handover {
    private final Calls calls;
    private final Duration bound;
    private final LongSupplier nanos;
    private final BooleanSupplier pause;

    /**
     * A wait.
     *
     * @param bound after which no probe begins
     * @param nanos a monotonic clock, in nanoseconds
     * @param pause between two probes; true ends the wait
     */
    Handover(Calls calls, Duration bound, LongSupplier nanos, BooleanSupplier pause) {
        this.calls = calls;
        this.bound = bound;
        this.nanos = nanos;
        this.pause = pause;
    }

    /** How a wait ended. */
    enum End {
        /** The API server refuses the fence. */
        REFUSED,
        /** There is no job that a late write could hit. */
        NO_JOB,
        /** The API server still took the fence when time was up. */
        ACCEPTED,
        /** No probe was answered by yes or no. */
        UNANSWERED
    }

    /** The end of a wait, and what is to be said of it. */
    record Outcome(End end, String sentence) {
        /** Whether people should know. */
        boolean warns() {
            return end == End.ACCEPTED || end == End.UNANSWERED;
        }
    }

    /** Waits. */
    Outcome await(Collection<SeenJob> jobs, Fence before) {
        long began = nanos.getAsLong();
        List<SeenJob> probes = new ArrayList<>(jobs);
        Outcome soFar = new Outcome(End.NO_JOB, "there was no job to ask about");
        while (!probes.isEmpty() && nanos.getAsLong() - began < bound.toNanos()) {
            SeenJob probe = probes.get(probes.size() - 1);
            try {
                if (!accepts(probe, before)) {
                    return new Outcome(End.REFUSED, "it is refused");
                }
                soFar = new Outcome(
                        End.ACCEPTED, "it is still accepted. Maybe the policy muster-fence is not installed");
            } catch (WriteFailed e) {
                if (e.refusal() == Refusal.GONE) {
                    probes.remove(probes.size() - 1);
                    continue;
                }
                soFar = unanswered(probe, e);
                if (e.refusal() == Refusal.REFUSED) { // for a reason of this job: another one will tell
                    probes.remove(probes.size() - 1);
                    continue;
                }
            }
            if (pause.getAsBoolean()) {
                return soFar;
            }
        }
        return soFar;
    }

    private boolean accepts(SeenJob probe, Fence before) throws WriteFailed {
        return calls.wouldAccept(probe.reader().name(), probe.namespace(), probe.name(), before.text());
    }

    private static Outcome unanswered(SeenJob probe, WriteFailed failed) {
        return new Outcome(
                End.UNANSWERED,
                "a dry run on job " + probe.namespace() + "/" + probe.name() + " gave no answer: " + failed.getMessage()
                        + ". Maybe the API server is overloaded, or another policy refuses Muster's writes");
    }
}

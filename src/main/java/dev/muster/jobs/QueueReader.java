package dev.muster.jobs;

import dev.muster.api.DurationText;
import dev.muster.api.Purpose;
import dev.muster.api.TeamQueue;
import dev.muster.api.TeamQueueSpec;
import dev.muster.core.model.Queue;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a TeamQueue. What the schema refuses is refused here too, in the same words, since files and the cluster in memory
 * have no schema.
 */
public final class QueueReader {
    /** How long interactive work may run when the queue does not say: a working day. */
    private static final long INTERACTIVE_RUNTIME = 8 * 3_600_000L;

    private QueueReader() {}

    /**
     * The queue.
     *
     * @throws IllegalArgumentException if it is none; the message names every problem
     */
    public static Queue read(TeamQueue stored) {
        Problems problems = new Problems();
        Queue queue = read(stored, problems);
        if (queue == null || !problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems.all()));
        }
        return queue;
    }

    /** The queue as far as it can be read, with all that is wrong with it; null when nothing can be. */
    public static @Nullable Queue read(TeamQueue stored, Problems problems) {
        TeamQueueSpec spec = stored.getSpec();
        if (spec == null) {
            problems.add("spec is missing");
            return null;
        }
        String owner = spec.owner();
        if (owner == null || owner.isEmpty()) {
            problems.add("spec.owner is missing: somebody answers for each queue. Maybe name the team");
        }
        if (spec.weight() < 0 || spec.weight() > 1_000_000) {
            problems.add("spec.weight", "" + spec.weight(), "it lies between 0 and 1000000", "");
        }
        List<Queue.Quota> quotas = new ArrayList<>();
        for (int i = 0; i < spec.quotas().size(); i++) {
            quotas.add(quota(spec.quotas().get(i), spec, "spec.quotas[" + i + "]", problems));
        }
        long minRuntime = millis("spec.preemption.minRuntime", spec.preemption().minRuntime(), problems);
        long grace = millis("spec.preemption.grace", spec.preemption().grace(), problems);
        return new Queue(
                stored.getMetadata().getName() == null
                        ? ""
                        : stored.getMetadata().getName(),
                spec.parent(),
                owner == null ? "" : owner,
                Math.max(0, spec.weight()),
                Set.copyOf(spec.namespaces()),
                quotas,
                limits(spec.limits(), spec.purpose(), problems),
                new Queue.Preemption(minRuntime, grace),
                Queue.Stop.valueOf(spec.stop().name()),
                Queue.Unspecific.valueOf(spec.unspecific().name()),
                Queue.Ordering.valueOf(spec.ordering().name()),
                Queue.Purpose.valueOf(spec.purpose().name()));
    }

    /** A serving queue borrows only as far as it is told to. */
    private static Queue.Quota quota(TeamQueueSpec.Quota given, TeamQueueSpec spec, String at, Problems problems) {
        boolean root = spec.parent() == null;
        boolean serving = spec.purpose() == Purpose.SERVING;
        if (given.nodeClass() == null || given.resource() == null) {
            problems.add(at + " names no nodeClass or no resource");
            return new Queue.Quota("", "", 0, OptionalLong.empty(), OptionalLong.empty(), 0);
        }
        long nominal = amount(given.resource(), given.nominal(), at + ".nominal", problems);
        OptionalLong borrowing = limit(given.resource(), given.borrowingLimit(), at + ".borrowingLimit", problems);
        OptionalLong lending = limit(given.resource(), given.lendingLimit(), at + ".lendingLimit", problems);
        OptionalLong firm = limit(given.resource(), given.firmLendingLimit(), at + ".firmLendingLimit", problems);
        if (root && given.borrowingLimit() != null) {
            problems.add(at + ".borrowingLimit: a root queue has nobody to borrow from."
                    + " Maybe remove borrowingLimit, or give the queue a parent");
        }
        above("lendingLimit", given.lendingLimit(), lending, "nominal", given.nominal(), nominal, at, problems);
        above("firmLendingLimit", given.firmLendingLimit(), firm, "nominal", given.nominal(), nominal, at, problems);
        if (given.lendingLimit() != null) {
            long lent = lending.orElse(0);
            above(
                    "firmLendingLimit",
                    given.firmLendingLimit(),
                    firm,
                    "lendingLimit",
                    given.lendingLimit(),
                    lent,
                    at,
                    problems);
        }
        OptionalLong reserve = limit(given.resource(), given.reserve(), at + ".reserve", problems);
        above("reserve", given.reserve(), reserve, "nominal", given.nominal(), nominal, at, problems);
        if (given.reserve() != null && !serving) {
            problems.add(at + ".reserve: only a queue with purpose Serving keeps room for scale-up."
                    + " Maybe set spec.purpose: Serving, or remove reserve");
        }
        return new Queue.Quota(
                given.nodeClass(),
                given.resource(),
                nominal,
                borrowing.isEmpty() && serving && !root ? OptionalLong.of(0) : borrowing,
                lending,
                firm.orElse(0),
                reserve.orElse(0));
    }

    private static void above(
            String lower,
            @Nullable Quantity given,
            OptionalLong value,
            String upper,
            @Nullable Quantity bound,
            long most,
            String at,
            Problems problems) {
        if (given != null && bound != null && value.isPresent() && value.getAsLong() > most) {
            problems.add(at + ": " + lower + " " + Quantities.text(given) + " is above " + upper + " "
                    + Quantities.text(bound));
        }
    }

    private static OptionalLong limit(String resource, @Nullable Quantity given, String at, Problems problems) {
        return given == null ? OptionalLong.empty() : OptionalLong.of(amount(resource, given, at, problems));
    }

    private static long amount(String resource, @Nullable Quantity given, String at, Problems problems) {
        if (given == null) {
            problems.add(at + " is missing");
            return 0;
        }
        Quantities.Reading reading = Quantities.offer(resource, given);
        if (reading.fault() != null) {
            String cure = at.endsWith(".nominal") ? "write it like 16 or 2Ti" : "leave it out: absent means unlimited";
            problems.add(at, Quantities.text(given), reading.fault(), cure);
        }
        return reading.amount();
    }

    private static Queue.Limits limits(TeamQueueSpec.Limits given, Purpose purpose, Problems problems) {
        OptionalLong maxRuntime = given.maxRuntime() == null
                ? purpose == Purpose.INTERACTIVE ? OptionalLong.of(INTERACTIVE_RUNTIME) : OptionalLong.empty()
                : OptionalLong.of(millis("spec.limits.maxRuntime", given.maxRuntime(), problems));
        if (maxRuntime.isPresent() && maxRuntime.getAsLong() == 0 && problems.isEmpty()) {
            problems.add(
                    "spec.limits.maxRuntime",
                    String.valueOf(given.maxRuntime()),
                    "that is no time at all",
                    "use stop: Hold to admit nothing");
        }
        return new Queue.Limits(
                maxRuntime,
                given.maxGangGpus() == null ? OptionalLong.empty() : OptionalLong.of(given.maxGangGpus()),
                given.maxPending() == null ? OptionalInt.empty() : OptionalInt.of(given.maxPending()),
                given.maxPriority() == null ? OptionalInt.empty() : OptionalInt.of(given.maxPriority()));
    }

    static long millis(String field, String text, Problems problems) {
        try {
            return DurationText.parse(text).toMillis();
        } catch (IllegalArgumentException noDuration) {
            problems.add(field, text, "that is no duration", "write it like 90s, 10m, 1h30m or 7d");
            return 0;
        }
    }
}

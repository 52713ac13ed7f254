package dev.muster.engine;

import dev.muster.core.decide.Quotas;
import dev.muster.core.decide.reserve.RunTimes;
import dev.muster.core.model.Admission;
import dev.muster.core.model.Gang;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long gangs are taken to run: what they declare, else what earlier gangs of their queue and size have shown, else what
 * their queue allows.
 *
 * <p>Order goes by the length that three of four have kept, plans by the one that nine of ten have kept. Sizes are told apart
 * as one GPU, 2 to 8, and more.
 */
final class LearnedTimes {
    private static final long UNKNOWN = 3_600_000;
    private static final int FOR_ORDER = 75;
    private static final int FOR_PLANS = 90;
    /** The most GPUs of each size class. */
    private static final int[] SIZES = {1, 8, Integer.MAX_VALUE};

    private final Quotas quotas;
    private final Map<Key, Learned> learned = new HashMap<>();

    private record Key(String queue, int size) {}

    private record Learned(RunTimes times, OptionalLong forOrder, OptionalLong forPlans) {
        private static final Learned NOTHING = of(RunTimes.NONE);

        static Learned of(RunTimes times) {
            return new Learned(times, times.quantile(FOR_ORDER), times.quantile(FOR_PLANS));
        }
    }

    /**
     * How long a gang may run, for plans.
     *
     * @param millis the bound; empty when there is none
     * @param enforced whether it is stopped then; otherwise it may overrun
     */
    record Bound(OptionalLong millis, boolean enforced) {}

    LearnedTimes(Quotas quotas) {
        this.quotas = quotas;
    }

    /** A gang has ended that ran with this admission; passed over when either is unknown. */
    void ended(@Nullable Gang gang, @Nullable Admission admission, long now) {
        if (gang == null || admission == null) {
            return;
        }
        long length = Math.max(0, now - admission.admittedAt());
        learned.compute(
                key(gang),
                (key, before) -> Learned.of((before == null ? RunTimes.NONE : before.times).with(length, now)));
    }

    /** Goes on from what was stored of a queue, by the most GPUs of the size class. */
    void remember(String queue, Map<Integer, RunTimes> times) {
        times.forEach((size, known) -> learned.put(new Key(queue, size), Learned.of(known)));
    }

    /** What is learned of a queue, by the most GPUs of the size class. */
    Map<Integer, RunTimes> of(String queue) {
        Map<Integer, RunTimes> times = new TreeMap<>();
        for (int size : SIZES) {
            Learned known = learned.get(new Key(queue, size));
            if (known != null) {
                times.put(size, known.times);
            }
        }
        return times;
    }

    /** What a gang is expected to run, for order, in milliseconds. */
    long expected(Gang gang) {
        if (gang.maxRuntime().isPresent()) {
            return gang.maxRuntime().getAsLong();
        }
        OptionalLong shown = learned.getOrDefault(key(gang), Learned.NOTHING).forOrder;
        return shown.isPresent() ? shown.getAsLong() : ofQueue(gang).orElse(UNKNOWN);
    }

    /** What a gang will run at most, as far as that is known. */
    Bound bound(Gang gang) {
        OptionalLong declared = gang.maxRuntime().isPresent() ? gang.maxRuntime() : ofQueue(gang);
        return declared.isPresent()
                ? new Bound(declared, true)
                : new Bound(learned.getOrDefault(key(gang), Learned.NOTHING).forPlans, false);
    }

    private OptionalLong ofQueue(Gang gang) {
        return quotas.path(gang.queue()).stream()
                .flatMapToLong(queue -> queue.limits().maxRuntime().stream())
                .min();
    }

    private Key key(Gang gang) {
        long gpus = gang.gpus(quotas.gpuResources());
        return new Key(gang.queue(), gpus <= SIZES[0] ? SIZES[0] : gpus <= SIZES[1] ? SIZES[1] : SIZES[2]);
    }
}

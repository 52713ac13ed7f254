package dev.muster.core.decide.reserve;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long gangs of one kind have run: a histogram over half powers of two in which a run counts half after 14 days.
 *
 * @param day the day, since the epoch, up to which the weights have decayed
 * @param samples how many runs were entered, ever
 * @param weights by length, the shortest first; a run just entered weighs 2^20
 */
public record RunTimes(long day, long samples, List<Long> weights) {
    /** Nothing entered. */
    public static final RunTimes NONE = new RunTimes(0, 0, Collections.nCopies(HalfPowers.COUNT, 0L));

    private static final long ENOUGH = 5;
    private static final long DAY = 86_400_000;
    private static final long ONE = 1L << 20;
    /** What is left of a weight after a day: 2^16 * 2^(-1/14), rounded. */
    private static final long LEFT_AFTER_A_DAY = 62_370;
    /** After so many days nothing is left of a weight. */
    private static final long FORGOTTEN = 1_000;

    public RunTimes {
        weights = List.copyOf(weights);
    }

    /**
     * The same with one more run.
     *
     * @param length how long it ran, in milliseconds
     * @param now when it ended, in milliseconds since the epoch
     */
    public RunTimes with(long length, long now) {
        long today = Math.max(day, now / DAY);
        List<Long> changed = new ArrayList<>(decayed(today - day));
        int index = HalfPowers.indexOf(length);
        changed.set(index, changed.get(index) + ONE);
        return new RunTimes(today, samples + 1, changed);
    }

    private List<Long> decayed(long days) {
        List<Long> left = weights;
        long rounds = samples == 0 ? 0 : Math.min(days, FORGOTTEN); // nothing decays to nothing
        for (long i = 0; i < rounds; i++) {
            left = left.stream().map(weight -> weight * LEFT_AFTER_A_DAY >> 16).toList();
        }
        return left;
    }

    /** The length that so many percent of the runs have not exceeded, in milliseconds; empty below 5 samples. */
    public OptionalLong quantile(int percent) {
        if (samples < ENOUGH) {
            return OptionalLong.empty();
        }
        long all = weights.stream().mapToLong(Long::longValue).sum();
        long below = 0;
        for (int i = 0; i < weights.size(); i++) {
            below += weights.get(i);
            if (weights.get(i) > 0 && below * 100 >= all * percent) {
                return OptionalLong.of(HalfPowers.at(i));
            }
        }
        return OptionalLong.empty();
    }
}

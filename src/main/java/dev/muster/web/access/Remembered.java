package dev.muster.web.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Answers that are good for a while, bounded in number: the one that was not asked for longest goes first. Any thread may use it. */
final class Remembered<K, V> {
    private final int most;
    private final LongSupplier nanos;
    private final Map<K, Answer<V>> answers = new LinkedHashMap<>(16, 0.75f, true);

    private record Answer<V>(V value, long until) {}

    /**
     * Remembers nothing yet.
     *
     * @param most how many answers are kept, at least 1
     * @param nanos a clock that never turns back, in nanoseconds
     */
    Remembered(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
    }

    /** The answer to this, while it is good. */
    synchronized Optional<V> get(K key) {
        Answer<V> answer = answers.get(key);
        if (answer == null) {
            return Optional.empty();
        }
        if (nanos.getAsLong() - answer.until >= 0) {
            answers.remove(key);
            return Optional.empty();
        }
        return Optional.of(answer.value);
    }

    /** Keeps an answer for so many nanoseconds. */
    synchronized void put(K key, V value, long forNanos) {
        answers.put(key, new Answer<>(value, nanos.getAsLong() + forNanos));
        if (answers.size() > most) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    synchronized int size() {
        return answers.size();
    }
}

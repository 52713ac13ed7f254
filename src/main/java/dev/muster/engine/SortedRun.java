package dev.muster.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A sorted list that mostly grows at its end and shrinks at its front. Rank and membership cost O(log n); adding at the
 * end and removing at the front O(1) on average.
 */
final class SortedRun<T extends Comparable<? super T>> {
    private final ArrayList<T> items = new ArrayList<>();
    private int front;

    int size() {
        return items.size() - front;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    T first() {
        return items.get(front);
    }

    T get(int rank) {
        return items.get(front + rank);
    }

    void add(T item) {
        if (isEmpty() || items.get(items.size() - 1).compareTo(item) < 0) {
            items.add(item);
            return;
        }
        int at = Collections.binarySearch(live(), item);
        if (at < 0) {
            items.add(front + (-at - 1), item);
        }
    }

    void remove(T item) {
        int at = Collections.binarySearch(live(), item);
        if (at < 0) {
            return;
        }
        if (at > 0) {
            items.remove(front + at);
            return;
        }
        front++;
        if (front > 64 && front > items.size() / 2) {
            items.subList(0, front).clear();
            front = 0;
        }
    }

    /** How many items stand before the first that fails the test; those after it must fail it too. */
    int countWhile(Predicate<T> test) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (test.test(get(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    boolean contains(T item) {
        return Collections.binarySearch(live(), item) >= 0;
    }

    void forEach(Consumer<? super T> each) {
        live().forEach(each);
    }

    /** How many items come before this one, which need not be in the list. */
    int countBefore(T item) {
        return countWhile(other -> other.compareTo(item) < 0);
    }

    private List<T> live() {
        return items.subList(front, items.size());
    }
}

package dev.muster.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

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

    boolean contains(T item) {
        return Collections.binarySearch(live(), item) >= 0;
    }

    void forEach(Consumer<? super T> each) {
        live().forEach(each);
    }

    /** How many items come before this one, which need not be in the list. */
    int countBefore(T item) {
        int at = Collections.binarySearch(live(), item);
        return at < 0 ? -at - 1 : at;
    }

    private List<T> live() {
        return items.subList(front, items.size());
    }
}

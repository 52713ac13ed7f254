package dev.muster.core.fleet;

import java.util.Arrays;

/** Arithmetic on resource arrays; an array holds 0 beyond its length. */
final class Vectors {
    private Vectors() {}

    static long at(long[] vector, int index) {
        return index < vector.length ? vector[index] : 0;
    }

    /** Adds {@code sign} times {@code change}; returns the same array, or a longer one where it had to grow. */
    static long[] add(long[] vector, long[] change, int sign) {
        long[] sum = vector.length < change.length ? Arrays.copyOf(vector, change.length) : vector;
        for (int i = 0; i < change.length; i++) {
            sum[i] = Math.addExact(sum[i], Math.multiplyExact(change[i], (long) sign));
        }
        return sum;
    }

    /** How many times the request fits, at most {@code limit}. */
    static int times(long[] allocatable, long[] booked, long[] request, int limit) {
        long times = limit;
        for (int i = 0; i < request.length && times > 0; i++) {
            if (request[i] > 0) {
                times = Math.min(times, Math.max(0, at(allocatable, i) - at(booked, i)) / request[i]);
            }
        }
        return (int) times;
    }
}

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

    /** How many times the request goes into what there is, at most {@code limit}. */
    static int times(long[] there, long[] request, int limit) {
        long times = limit;
        for (int i = 0; i < request.length && times > 0; i++) {
            times = request[i] > 0 ? Math.min(times, at(there, i) / request[i]) : times;
        }
        return (int) times;
    }
}

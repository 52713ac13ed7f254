package dev.muster.core.share;

import java.util.Arrays;

/**
 * What one gang takes from quota: an amount for each dimension that it uses, sorted by dimension, without zeros. The arrays
 * are handed out for reading only; nobody writes to them.
 */
public final class Charge {
    private final int[] dims;
    private final long[] amounts;

    private Charge(int[] dims, long[] amounts) {
        this.dims = dims;
        this.amounts = amounts;
    }

    /**
     * A charge from one amount per dimension of the tree.
     *
     * @throws IllegalArgumentException when an amount is negative
     */
    public static Charge of(long... amountByDim) {
        int used = 0;
        for (int dim = 0; dim < amountByDim.length; dim++) {
            if (amountByDim[dim] < 0) {
                throw new IllegalArgumentException(
                        "the charge of dimension " + dim + " is negative: " + amountByDim[dim]);
            }
            used += amountByDim[dim] > 0 ? 1 : 0;
        }
        int[] dims = new int[used];
        long[] amounts = new long[used];
        for (int dim = amountByDim.length - 1; dim >= 0; dim--) {
            if (amountByDim[dim] > 0) {
                dims[--used] = dim;
                amounts[used] = amountByDim[dim];
            }
        }
        return new Charge(dims, amounts);
    }

    /** How many dimensions it uses. */
    public int size() {
        return dims.length;
    }

    /** The dimension at a position from 0 to {@code size() - 1}. */
    public int dim(int position) {
        return dims[position];
    }

    /** The charge of so many equal gangs, in each dimension at most {@code most}. */
    public Charge times(int factor, long most) {
        long[] products = new long[amounts.length];
        for (int i = 0; i < amounts.length; i++) {
            products[i] = factor > most / amounts[i] ? most : amounts[i] * factor;
        }
        return new Charge(dims, products);
    }

    /** The amount at a position, at least 1. */
    public long amount(int position) {
        return amounts[position];
    }

    /** How much of one dimension; 0 when it uses none. */
    public long amountIn(int dim) {
        int position = Arrays.binarySearch(dims, dim);
        return position < 0 ? 0 : amounts[position];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Charge charge
                && Arrays.equals(dims, charge.dims)
                && Arrays.equals(amounts, charge.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(dims) + Arrays.hashCode(amounts);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < dims.length; i++) {
            text.append(i == 0 ? "" : ", ").append(dims[i]).append(": ").append(amounts[i]);
        }
        return text.append('}').toString();
    }
}

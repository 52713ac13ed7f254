package dev.muster.jobs;

import dev.muster.core.model.Amounts;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes quantities read as whole amounts in the units of {@link Amounts}: {@code cpu} in thousandths, everything else
 * in ones. A text that is no quantity, is negative or too large to count gives a fault and never a wrapped number.
 */
final class Quantities {
    /** The largest amount that a gang or a quota may state: 10^15. Sums of thousands of them still fit a long. */
    static final long LARGEST_STATED = 1_000_000_000_000_000L;

    private static final int LONGEST_TEXT = 64;
    private static final int LARGEST_EXPONENT = 40;
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("n", BigDecimal.valueOf(1, 9)),
            Map.entry("u", BigDecimal.valueOf(1, 6)),
            Map.entry("m", BigDecimal.valueOf(1, 3)),
            Map.entry("", BigDecimal.ONE),
            Map.entry("k", BigDecimal.valueOf(1, -3)),
            Map.entry("M", BigDecimal.valueOf(1, -6)),
            Map.entry("G", BigDecimal.valueOf(1, -9)),
            Map.entry("T", BigDecimal.valueOf(1, -12)),
            Map.entry("P", BigDecimal.valueOf(1, -15)),
            Map.entry("E", BigDecimal.valueOf(1, -18)),
            Map.entry("Ki", twoTo(10)),
            Map.entry("Mi", twoTo(20)),
            Map.entry("Gi", twoTo(30)),
            Map.entry("Ti", twoTo(40)),
            Map.entry("Pi", twoTo(50)),
            Map.entry("Ei", twoTo(60)));

    private Quantities() {}

    /**
     * What was read.
     *
     * @param amount 0 to {@link Amounts#LARGEST}; with a fault, the nearest amount that holds no capacity back by mistake
     * @param fault what is wrong, as the end of a sentence; null when nothing is
     */
    record Reading(long amount, @Nullable String fault) {}

    /** Reads a request, which is rounded up. */
    static Reading request(String resource, Quantity quantity) {
        return read(resource, text(quantity), RoundingMode.CEILING);
    }

    /** Reads something that is offered or due, which is rounded down. */
    static Reading offer(String resource, Quantity quantity) {
        return read(resource, text(quantity), RoundingMode.FLOOR);
    }

    /** As {@link #offer(String, Quantity)}, from a text. */
    static Reading offer(String resource, String text) {
        return read(resource, text, RoundingMode.FLOOR);
    }

    /** The quantity as it was written. */
    static String text(Quantity quantity) {
        String amount = quantity.getAmount() == null ? "" : quantity.getAmount();
        return amount + (quantity.getFormat() == null ? "" : quantity.getFormat());
    }

    private static Reading read(String resource, String text, RoundingMode rounding) {
        BigDecimal value = parse(text);
        if (value == null) {
            long nearest = rounding == RoundingMode.CEILING ? Amounts.LARGEST : 0;
            return new Reading(nearest, "that is no quantity");
        }
        if (value.signum() < 0) {
            return new Reading(0, "that is negative");
        }
        BigDecimal whole = (resource.equals(Amounts.CPU) ? value.scaleByPowerOfTen(3) : value).setScale(0, rounding);
        if (whole.compareTo(BigDecimal.valueOf(LARGEST_STATED)) > 0) {
            long kept = whole.min(BigDecimal.valueOf(Amounts.LARGEST)).longValueExact();
            return new Reading(kept, "that is more than can be counted, which ends at 10^15 (for cpu 10^12 cores)");
        }
        return new Reading(whole.longValueExact(), null);
    }

    private static @Nullable BigDecimal parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            return null;
        }
        int end = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        boolean digits = false;
        boolean point = false;
        for (; end < text.length(); end++) {
            char c = text.charAt(end);
            if (c == '.' && !point) {
                point = true;
            } else if (c >= '0' && c <= '9') {
                digits = true;
            } else {
                break;
            }
        }
        if (!digits) {
            return null;
        }
        BigDecimal number = new BigDecimal(text.substring(0, end));
        String unit = text.substring(end);
        BigDecimal factor = UNITS.get(unit);
        return factor != null ? number.multiply(factor) : withExponent(number, unit);
    }

    private static @Nullable BigDecimal withExponent(BigDecimal number, String unit) {
        if (!(unit.startsWith("e") || unit.startsWith("E")) || unit.length() < 2 || unit.length() > 8) {
            return null;
        }
        try {
            int exponent = Integer.parseInt(unit.substring(1));
            int bounded = Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, exponent));
            return number.signum() == 0 ? BigDecimal.ZERO : number.scaleByPowerOfTen(bounded);
        } catch (NumberFormatException noExponent) {
            return null; // the caller reports the whole text
        }
    }

    private static BigDecimal twoTo(int power) {
        return new BigDecimal(BigInteger.TWO.pow(power));
    }
}

package dev.muster.kube;

import org.jspecify.annotations.Nullable;

/** The order of resource versions of one object: numbers where they are numbers, else unknown. */
final class Versions {
    private Versions() {}

    /** Whether {@code fresh} may say something new after {@code known}: not the same, and not older where that can be told. */
    static boolean isNews(@Nullable String known, @Nullable String fresh) {
        if (known == null || fresh == null) {
            return true;
        }
        if (known.equals(fresh)) {
            return false;
        }
        return !isNumber(known) || !isNumber(fresh) || Long.parseLong(fresh) > Long.parseLong(known);
    }

    /** Whether {@code version} is later than {@code other}, and that can be told. */
    static boolean isLater(@Nullable String version, @Nullable String other) {
        return version != null
                && other != null
                && isNumber(version)
                && isNumber(other)
                && Long.parseLong(version) > Long.parseLong(other);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}

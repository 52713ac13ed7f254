package dev.muster.engine;

/** Order of resourceVersions: decimal numbers of any length, as Kubernetes defines them; anything else has no order. */
final class Versions {
    private Versions() {}

    /** Whether {@code seen} is surely older than {@code awaited}. */
    static boolean isOlder(String seen, String awaited) {
        if (!isNumber(seen) || !isNumber(awaited)) {
            return false;
        }
        return seen.length() != awaited.length() ? seen.length() < awaited.length() : seen.compareTo(awaited) < 0;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}

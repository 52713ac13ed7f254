package dev.muster.jobs;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with an object, in the order of its fields: each says the field, its value and the cure. */
public final class Problems {
    private static final int LONGEST_VALUE = 80;

    private final List<String> found = new ArrayList<>();

    /** Notes one: {@code what} continues the sentence "field is 'value'"; {@code cure} follows "Maybe", or is empty. */
    public void add(String field, @Nullable String value, String what, String cure) {
        found.add(field + " is " + quote(value == null ? "" : value) + ": " + what
                + (cure.isEmpty() ? "" : ". Maybe " + cure));
    }

    /** Notes one that has no single value, as a whole sentence. */
    public void add(String sentence) {
        found.add(sentence);
    }

    /** Whether nothing is wrong. */
    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** All of them, as noted. */
    public List<String> all() {
        return List.copyOf(found);
    }

    /** A value in quotes as it may stand in a message: at most 80 characters, on one line. */
    public static String quote(String value) {
        StringBuilder shown = new StringBuilder("'");
        value.codePoints().limit(LONGEST_VALUE).map(c -> isShown(c) ? c : '?').forEach(shown::appendCodePoint);
        boolean cut = value.codePointCount(0, value.length()) > LONGEST_VALUE;
        return shown.append(cut ? "...'" : "'").toString();
    }

    /** No control, no change of the writing direction, no half of a character: the text stays as it is read. */
    private static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}

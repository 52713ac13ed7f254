package dev.muster.files;

import java.util.Collection;
import java.util.Comparator;

/** Finds the known word that a mistyped one may have meant. */
public final class Spelling {
    private Spelling() {}

    /** "Maybe x" for the nearest of the known words (by edits, then by name), or an empty text when none is near. */
    public static String cure(String written, Collection<String> known) {
        int farthest = Math.max(1, written.length() / 3);
        return known.stream()
                .filter(word -> edits(written, word) <= farthest)
                .min(Comparator.comparingInt((String word) -> edits(written, word))
                        .thenComparing(Comparator.naturalOrder()))
                .map(word -> "Maybe " + word)
                .orElse("");
    }

    /** Insertions, deletions and replacements that turn one word into the other, case not counted. */
    private static int edits(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                boolean same = Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}

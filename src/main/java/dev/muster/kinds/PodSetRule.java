package dev.muster.kinds;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a kind's objects say one podset, or several of one form.
 *
 * @param name of the podset; empty when {@code each} gives the names
 * @param each where podsets of one form stand; null for a single one. Then the other paths begin at its element
 * @param template the pod template
 * @param counts how many members: the product of these
 * @param pods labels by which a pod of this podset is known; in the values {@code {key}} stands for the name as written and
 *     {@code {name}} for it in small letters
 * @param index labels or annotations that number the members: one for each of {@code counts}; empty when they have no numbers
 * @param indexedIf what must hold so that they have numbers; null when they always have
 */
public record PodSetRule(
        String name,
        @Nullable Each each,
        FieldPath template,
        List<Count> counts,
        Map<String, String> pods,
        List<String> index,
        @Nullable FieldTest indexedIf) {
    public PodSetRule {
        counts = List.copyOf(counts);
        pods = Map.copyOf(pods);
        index = List.copyOf(index);
    }

    /** The path that may not change once the gang is admitted. */
    public FieldPath frozen() {
        return each == null ? template : each.path();
    }

    /**
     * Podsets of one form.
     *
     * @param path of a map, whose keys are the names, or of a list
     * @param name the field of a list's element that names it; empty for a map
     */
    public record Each(FieldPath path, String name) {
        /** Whether they stand in a map. */
        public boolean isMap() {
            return name.isEmpty();
        }
    }

    /**
     * One factor of the number of members.
     *
     * @param field where it stands; null for a constant
     * @param byDefault when it is not there
     * @param atMost a field that bounds it, where it is there
     * @param atLeast a field that it is not below, where it is there
     */
    public record Count(
            @Nullable FieldPath field,
            int byDefault,
            @Nullable FieldPath atMost,
            @Nullable FieldPath atLeast) {}
}

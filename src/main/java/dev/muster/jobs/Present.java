package dev.muster.jobs;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is really there of lists and maps in an object that anybody may have written: no null in any place. */
final class Present {
    private Present() {}

    /** The elements that are not null, in order. */
    static <T> List<T> in(@Nullable List<T> list) {
        return list == null ? List.of() : list.stream().filter(Objects::nonNull).toList();
    }

    /** The entries whose value is not null, by key. */
    static <V> Map<String, V> in(@Nullable Map<String, V> map) {
        if (map == null || map.isEmpty()) {
            return Map.of();
        }
        TreeMap<String, V> kept = new TreeMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                kept.put(key, value);
            }
        });
        return kept;
    }
}

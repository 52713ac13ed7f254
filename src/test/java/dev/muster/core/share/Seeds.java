package dev.muster.core.share;

import java.util.stream.LongStream;

/** Seeds of generated tests: 200, or as many as the property {@code muster.seeds} says. */
public final class Seeds {
    private Seeds() {}

    public static LongStream all() {
        return LongStream.range(0, Integer.getInteger("muster.seeds", 200));
    }
}

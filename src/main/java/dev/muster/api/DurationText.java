package dev.muster.api;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A duration as text: one or more whole numbers, each with {@code s}, {@code m}, {@code h} or {@code d}, added up: {@code 1h30m}. */
public final class DurationText {
    /** What the schema accepts; each number has at most 6 digits. */
    public static final String PATTERN = "^([0-9]{1,6}(s|m|h|d))+$";

    private static final int MAX_LENGTH = 16;
    private static final Pattern WHOLE = Pattern.compile(PATTERN);
    private static final Pattern PART = Pattern.compile("([0-9]{1,6})([smhd])");

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @param text at most 16 characters
     * @return the sum of its parts, 0 to about 5,500 years
     * @throws IllegalArgumentException if the text is no duration; the message quotes it
     */
    public static Duration parse(String text) {
        if (text.length() > MAX_LENGTH || !WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration. Maybe write it like 90s, 10m, 1h30m or 7d");
        }
        Duration sum = Duration.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            sum = sum.plus(unit(parts.group(2)).multipliedBy(Long.parseLong(parts.group(1))));
        }
        return sum;
    }

    private static Duration unit(String letter) {
        return switch (letter) {
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }
}

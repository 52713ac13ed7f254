package dev.muster.webhook;

import java.util.List;
import java.util.Map;

/**
 * What the door says of one object.
 *
 * @param message why it is refused; empty when it is allowed
 * @param warnings for the submitter, each one line of at most 240 characters, since an API server drops what is longer
 * @param patch JSON patch (RFC 6902); empty when nothing is changed
 */
public record Verdict(boolean allowed, String message, List<String> warnings, List<Map<String, Object>> patch) {
    /** Nothing against it, nothing to say, nothing to change. */
    public static final Verdict ALLOWED = new Verdict(true, "", List.of(), List.of());

    private static final int LONGEST_WARNING = 240;
    private static final int MOST_PROBLEMS = 50;

    public Verdict {
        warnings = warnings.stream().map(Verdict::oneLine).toList();
        patch = List.copyOf(patch);
    }

    /** Allowed, with a change. */
    public static Verdict changed(List<Map<String, Object>> patch) {
        return new Verdict(true, "", List.of(), patch);
    }

    /** Allowed, with something to say. */
    public static Verdict warned(List<String> warnings) {
        return new Verdict(true, "", warnings, List.of());
    }

    /** Refused, for all these problems; of more than {@value #MOST_PROBLEMS} the first are told. */
    public static Verdict refused(List<String> problems) {
        int shown = Math.min(problems.size(), MOST_PROBLEMS);
        String rest = problems.size() > shown ? "; and " + (problems.size() - shown) + " more problems" : "";
        return new Verdict(false, String.join("; ", problems.subList(0, shown)) + rest, List.of(), List.of());
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .limit(LONGEST_WARNING)
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .forEach(line::appendCodePoint);
        return line.toString();
    }
}

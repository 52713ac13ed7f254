package dev.muster.jobs;

import dev.muster.core.model.Requirement;
import dev.muster.core.model.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Demands on the facts of a node class, as users write them: {@code cuda>=12.4, driver>=550, gpu-memory>=80Gi, product=H100}.
 * Parts are separated by commas and all must hold.
 */
public final class Requirements {
    private static final int LONGEST_TEXT = 1024;
    private static final Set<String> VERSIONS = Set.of("cuda", "driver", "compute");
    private static final Set<String> NAMES = Set.of("product", "arch");
    private static final String MEMORY = "gpu-memory";
    private static final Pattern PART = Pattern.compile("([^=<>!\\s]+)\\s*(>=|<=|!=|==|=|>|<)\\s*([^=<>!\\s]+)");
    private static final Pattern VERSION = Pattern.compile("[0-9]{1,6}([.][0-9]{1,6}){0,3}");

    private Requirements() {}

    /** Reads all demands; each that cannot be read is noted as a problem of {@code field}. */
    public static List<Requirement> parse(String field, String text, Problems problems) {
        List<Requirement> read = new ArrayList<>();
        if (text.length() > LONGEST_TEXT) {
            problems.add(field, text, "that has more than " + LONGEST_TEXT + " characters", "");
            return read;
        }
        for (String raw : text.split(",", -1)) {
            String part = raw.strip();
            Matcher matcher = PART.matcher(part);
            if (matcher.matches()) {
                demand(field, part, matcher, read, problems);
            } else {
                problems.add(field, part, "that is no demand", "write it like cuda>=12.4, gpu-memory>=80Gi");
            }
        }
        return read;
    }

    private static void demand(String field, String part, Matcher matcher, List<Requirement> read, Problems problems) {
        String fact = matcher.group(1);
        Operator operator = operator(matcher.group(2));
        String value = matcher.group(3);
        boolean ordered = operator != Operator.EQUAL && operator != Operator.NOT_EQUAL;
        if (NAMES.contains(fact) && ordered) {
            problems.add(field, part, fact + " is a name and has no order", "use = or !=");
        } else if (VERSIONS.contains(fact) && !VERSION.matcher(value).matches()) {
            problems.add(field, part, "the value is no version", "write it like 12.4");
        } else if (fact.equals(MEMORY) && Quantities.offer(MEMORY, value).fault() != null) {
            problems.add(field, part, "the value is no amount of memory", "write it like 80Gi");
        } else if (!NAMES.contains(fact) && !VERSIONS.contains(fact) && !fact.equals(MEMORY)) {
            problems.add(
                    field,
                    part,
                    "no node class declares that fact",
                    "cuda, driver, compute, gpu-memory, product or arch");
        } else {
            boolean memory = fact.equals(MEMORY); // compared in bytes, as node classes state it
            String compared =
                    memory ? Long.toString(Quantities.offer(MEMORY, value).amount()) : value;
            read.add(new Requirement(fact, operator, compared));
        }
    }

    private static Operator operator(String sign) {
        return switch (sign) {
            case ">=" -> Operator.AT_LEAST;
            case "<=" -> Operator.AT_MOST;
            case "!=" -> Operator.NOT_EQUAL;
            case ">" -> Operator.MORE;
            case "<" -> Operator.LESS;
            default -> Operator.EQUAL;
        };
    }
}

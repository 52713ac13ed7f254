package dev.muster.core.decide;

import dev.muster.core.model.Requirement;
import dev.muster.core.model.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether declared facts of a node class meet a requirement. Versions (cuda, driver, compute) compare number by number,
 * so 550.54 is below 550.127; gpu-memory compares in bytes, as the reader has normalised it; product and arch compare as
 * text without regard to case, a product also by a part of its name between separators. A fact that is not declared
 * meets nothing.
 */
public final class Facts {
    private Facts() {}

    /** Whether the facts meet it. */
    public static boolean meet(Map<String, String> facts, Requirement requirement) {
        String declared = facts.get(requirement.fact());
        if (declared == null) {
            return false;
        }
        return switch (requirement.fact()) {
            case "product", "arch" -> compareTexts(declared, requirement);
            default -> holds(requirement.operator(), compareVersions(declared, requirement.value()));
        };
    }

    private static boolean compareTexts(String declared, Requirement requirement) {
        boolean same = declared.equalsIgnoreCase(requirement.value())
                || requirement.fact().equals("product") && parts(declared).contains(lower(requirement.value()));
        return requirement.operator() == Operator.NOT_EQUAL ? !same : requirement.operator() == Operator.EQUAL && same;
    }

    private static boolean holds(Operator operator, int comparison) {
        return switch (operator) {
            case EQUAL -> comparison == 0;
            case NOT_EQUAL -> comparison != 0;
            case AT_LEAST -> comparison >= 0;
            case AT_MOST -> comparison <= 0;
            case MORE -> comparison > 0;
            case LESS -> comparison < 0;
        };
    }

    /** Number by number; a missing number counts as 0, so 550 equals 550.0. */
    private static int compareVersions(String a, String b) {
        List<Long> left = numbers(a);
        List<Long> right = numbers(b);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = Long.compare(i < left.size() ? left.get(i) : 0, i < right.size() ? right.get(i) : 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<Long> numbers(String version) {
        List<Long> numbers = new ArrayList<>();
        long number = 0;
        boolean open = false;
        for (int i = 0; i < version.length(); i++) {
            char c = version.charAt(i);
            if (c >= '0' && c <= '9') {
                number = number > Long.MAX_VALUE / 16 ? number : number * 10 + (c - '0');
                open = true;
            } else if (open) {
                numbers.add(number);
                number = 0;
                open = false;
            }
        }
        if (open) {
            numbers.add(number);
        }
        return numbers;
    }

    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (char c : (lower(text) + " ").toCharArray()) {
            if (c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
                part.append(c);
            } else if (part.length() > 0) {
                parts.add(part.toString());
                part.setLength(0);
            }
        }
        return parts;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}

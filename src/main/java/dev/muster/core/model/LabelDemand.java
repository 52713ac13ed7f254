package dev.muster.core.model;

import java.util.List;
import java.util.Map;

/** One demand on labels, as in a Kubernetes node selector: a key, an operator and its values. */
public record LabelDemand(String key, Operator operator, List<String> values) {
    public LabelDemand {
        values = List.copyOf(values);
    }

    /** The operators of Kubernetes node selectors. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    /** The plain demand {@code key = value}. */
    public static LabelDemand equal(String key, String value) {
        return new LabelDemand(key, Operator.IN, List.of(value));
    }

    /** Whether these labels meet the demand. As in Kubernetes, an absent label meets {@code NOT_IN}. */
    public boolean accepts(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER -> value != null && isNumber(value) && compare(value) > 0;
            case LESS -> value != null && isNumber(value) && compare(value) < 0;
        };
    }

    private int compare(String value) {
        return values.size() == 1 && isNumber(values.get(0))
                ? Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)))
                : 0;
    }

    private static boolean isNumber(String text) {
        int from = text.startsWith("-") ? 1 : 0;
        return text.length() > from
                && text.length() <= 18
                && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
    }
}

package dev.muster.core.model;

/** One demand on a node class's declared facts, such as {@code cuda >= 12.4}. */
public record Requirement(String fact, Operator operator, String value) {
    /** How the fact is compared. */
    public enum Operator {
        EQUAL("="),
        NOT_EQUAL("!="),
        AT_LEAST(">="),
        AT_MOST("<="),
        MORE(">"),
        LESS("<");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /** As users write it. */
        public String sign() {
            return sign;
        }
    }

    @Override
    public String toString() {
        return fact + operator.sign() + value;
    }
}

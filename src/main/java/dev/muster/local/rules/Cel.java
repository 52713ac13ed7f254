package dev.muster.local.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles and evaluates CEL as an API server does, over untyped values. Of the functions that Kubernetes adds it knows
 * {@code quantity} and {@code compareTo}.
 */
final class Cel {
    private final CelCompiler compiler;
    private final CelRuntime runtime;

    /** An environment with these variables, each of any type. */
    Cel(String... variables) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(CelExtensions.optional())
                .addFunctionDeclarations(
                        CelFunctionDecl.newFunctionDeclaration(
                                "quantity",
                                CelOverloadDecl.newGlobalOverload(
                                        "quantity_of_string", SimpleType.DYN, SimpleType.STRING)),
                        CelFunctionDecl.newFunctionDeclaration(
                                "compareTo",
                                CelOverloadDecl.newMemberOverload(
                                        "quantity_compare_to", SimpleType.INT, SimpleType.DYN, SimpleType.DYN)));
        for (String variable : variables) {
            builder.addVar(variable, SimpleType.DYN);
        }
        compiler = builder.build();
        runtime = CelRuntimeFactory.standardCelRuntimeBuilder()
                .addLibraries(CelExtensions.optional())
                .addFunctionBindings(
                        CelFunctionBinding.from("quantity_of_string", String.class, Cel::quantity),
                        CelFunctionBinding.from("quantity_compare_to", Object.class, Object.class, Cel::compare))
                .build();
    }

    /**
     * An expression that is ready to be evaluated.
     *
     * @throws IllegalArgumentException if it is no CEL, or asks for a variable or function that is not known
     */
    Expression compile(String expression) {
        try {
            CelRuntime.Program program =
                    runtime.createProgram(compiler.compile(expression).getAst());
            return new Expression(expression, program);
        } catch (CelValidationException | CelEvaluationException e) {
            throw new IllegalArgumentException("the rule cannot be compiled: " + expression, e);
        }
    }

    /** A compiled expression. */
    static final class Expression {
        private final String text;
        private final CelRuntime.Program program;

        private Expression(String text, CelRuntime.Program program) {
            this.text = text;
            this.program = program;
        }

        /**
         * Its value.
         *
         * @throws RuleFailed if it has none
         */
        Object value(Map<String, Object> variables) throws RuleFailed {
            try {
                return program.eval(variables);
            } catch (CelEvaluationException e) {
                throw new RuleFailed(text, e);
            }
        }

        /** Whether it is true. */
        boolean holds(Map<String, Object> variables) throws RuleFailed {
            return Boolean.TRUE.equals(value(variables));
        }
    }

    /** A rule has no value for an object. As on an API server, the object is refused then. */
    static final class RuleFailed extends Exception {
        private static final long serialVersionUID = 1L;

        RuleFailed(String rule, Throwable cause) {
            super("evaluation of rule '" + rule + "' failed: " + cause.getMessage(), cause);
        }
    }

    /** The value of a node as CEL sees it; an absent node is null. */
    static Object toCel(@Nullable JsonNode node) {
        if (node == null || node.isNull() || node.isMissingNode()) {
            return NullValue.NULL_VALUE;
        }
        if (node.isObject()) {
            Map<String, Object> map = new LinkedHashMap<>();
            node.properties().forEach(entry -> map.put(entry.getKey(), toCel(entry.getValue())));
            return map;
        }
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            node.forEach(item -> list.add(toCel(item)));
            return list;
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isIntegralNumber()) {
            return node.longValue();
        }
        return node.isNumber() ? (Object) node.doubleValue() : node.asText();
    }

    private static BigDecimal quantity(String text) {
        return new Quantity(text).getNumericalAmount();
    }

    private static long compare(Object one, Object other) {
        return ((BigDecimal) one).compareTo((BigDecimal) other);
    }
}

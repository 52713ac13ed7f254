package dev.muster.cluster;

import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the control plane that {@code MUSTER_TEST_KUBECONFIG} names, or skips them. */
final class ControlPlaneExtension
        implements ExecutionCondition, ParameterResolver, AfterEachCallback, AfterAllCallback {
    static final String VARIABLE = "MUSTER_TEST_KUBECONFIG";
    static final String SKIPPED = VARIABLE + " is not set";
    private static final Namespace NAMESPACE = Namespace.create(ControlPlaneExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String kubeconfig = kubeconfig();
        return kubeconfig == null
                ? ConditionEvaluationResult.disabled(SKIPPED)
                : ConditionEvaluationResult.enabled(VARIABLE + " is " + kubeconfig);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ControlPlane.class;
    }

    @Override
    public ControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return of(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getTestInstanceLifecycle().filter(PER_CLASS::equals).isEmpty()) { // else what all tests share stays
            of(context).clean();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        of(context).clean();
    }

    private static ControlPlane of(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(ControlPlane.class, key -> connect(), ControlPlane.class);
    }

    private static ControlPlane connect() {
        Path file = Path.of(String.valueOf(kubeconfig())).toAbsolutePath();
        if (!Files.isReadable(file)) {
            throw new IllegalStateException(VARIABLE + " names " + file
                    + ", which cannot be read. Maybe start it with .ci/controlplane/up DIR");
        }
        return ControlPlane.connect(file);
    }

    private static @Nullable String kubeconfig() {
        String value = System.getenv(VARIABLE);
        return value == null || value.isBlank() ? null : value;
    }
}

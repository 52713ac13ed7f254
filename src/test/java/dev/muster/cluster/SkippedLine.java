package dev.muster.cluster;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says in one line which tests were skipped for want of a control plane, and how to get one. */
public final class SkippedLine implements TestExecutionListener {
    private final AtomicInteger skipped = new AtomicInteger();

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (reason.contains(ControlPlaneExtension.SKIPPED)) {
            skipped.incrementAndGet();
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        int count = skipped.getAndSet(0);
        if (count > 0) {
            System.out.printf(
                    "Skipped %d integration test classes: %s. To run them: .ci/run, or name the kubeconfig of a control"
                            + " plane made by .ci/controlplane/up%n",
                    count, ControlPlaneExtension.SKIPPED);
        }
    }
}

package dev.muster.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks an integration test that needs a real control plane; it is skipped when {@code MUSTER_TEST_KUBECONFIG} names none.
 *
 * <p>A constructor, test or life-cycle method may take a {@link ControlPlane}; after each test it is cleaned.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ControlPlaneExtension.class)
public @interface OnControlPlane {}

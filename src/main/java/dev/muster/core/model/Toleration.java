package dev.muster.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A pod's leave to go to tainted nodes, with the meaning that Kubernetes gives it: no key tolerates every key, no value
 * every value ({@code Exists}), no effect every effect.
 */
public record Toleration(@Nullable String key, @Nullable String value, Taint.@Nullable Effect effect) {
    /** Whether it covers the taint. */
    public boolean tolerates(Taint taint) {
        return (key == null || key.equals(taint.key()))
                && (value == null || value.equals(taint.value()))
                && (effect == null || effect == taint.effect());
    }
}

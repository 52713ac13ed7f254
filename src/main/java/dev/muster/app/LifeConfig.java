package dev.muster.app;

import dev.muster.engine.EngineSettings.Life;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Bounds of starts, repairs and nodes, as docs/life.md explains them. Each key is named {@code muster.life.<name>}. */
@ConfigMapping(prefix = "muster.life")
public interface LifeConfig {
    /** How long after its admission every member must be on its node, or have been replaced when it failed. */
    @WithDefault("5m")
    Duration start();

    /** How long a member may be in a trouble that rarely passes: image, configuration, crashes, no node for it. */
    @WithDefault("2m")
    Duration trouble();

    /** How long members that are on their nodes, and not in trouble, may take to be ready. */
    @WithDefault("30m")
    Duration longestStart();

    /** How long a gang that has run may be without a member. */
    @WithDefault("5m")
    Duration repair();

    /** After how many failed attempts of its own in a row a gang is held, at least 1; a job can say something else. */
    @WithDefault("5")
    int failures();

    /** How long a gang waits after its first failed attempt; doubles with each further one. */
    @WithDefault("30s")
    Duration firstRest();

    /** Bound of that. */
    @WithDefault("30m")
    Duration longestRest();

    /** How long a node may be away, not ready, or without its labels before that counts. */
    @WithDefault("2m")
    Duration blink();

    /** So many refusals in a row strike a node, at least 1. */
    @WithDefault("3")
    int strikes();

    /** How long a struck node gets nobody; doubles with each time, at most eightfold. */
    @WithDefault("10m")
    Duration struck();

    /** The same for the engine. */
    default Life life() {
        return new Life(
                start().toMillis(),
                trouble().toMillis(),
                longestStart().toMillis(),
                repair().toMillis(),
                Math.max(1, failures()),
                firstRest().toMillis(),
                longestRest().toMillis(),
                blink().toMillis(),
                Math.max(1, strikes()),
                struck().toMillis());
    }
}

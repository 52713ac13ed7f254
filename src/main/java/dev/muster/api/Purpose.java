package dev.muster.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a queue is for, and what a node class accepts. */
public enum Purpose {
    /** Gangs that end. */
    @JsonProperty("Training")
    TRAINING,
    /** Services that answer requests. */
    @JsonProperty("Serving")
    SERVING,
    /** People at work, for a short time each. */
    @JsonProperty("Interactive")
    INTERACTIVE
}

package dev.muster.core.model;

/** Why a gang waits: one reason, a sentence with figures, and what would help (empty when nothing can be said). */
public record Waiting(Reason reason, String sentence, String help) {}

package dev.muster.core.model;

/** That the members of a podset sit in one domain of a level: {@code level} is the label key of the nodes. */
public record TopologyWish(String level, boolean required) {}

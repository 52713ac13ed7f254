package dev.muster.core.share;

/**
 * Why quota refuses a charge: the first exhausted node on the way up, in its first exhausted dimension.
 *
 * @param node number of the exhausted node
 * @param dim number of the exhausted dimension
 * @param used what the node's subtree already uses there
 * @param limit what that use may not be raised above
 * @param missing by how much the charge goes beyond it, at least 1
 */
public record Refusal(LedgerKind kind, int node, int dim, long used, long limit, long missing) {}

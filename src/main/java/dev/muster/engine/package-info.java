/**
 * The ledger and the decisions over time: events in, {@code cycle}, plan out. Pure: no clock, no threads, no I/O, so that
 * the live controller, its followers, local mode and the simulator run the same code.
 */
@NullMarked
package dev.muster.engine;

import org.jspecify.annotations.NullMarked;

/** Whom a gang may preempt, and who of them costs least. */
@NullMarked
package dev.muster.core.decide.evict;

import org.jspecify.annotations.NullMarked;

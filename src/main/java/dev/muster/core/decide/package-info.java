/** Decisions about one gang at a time: may it start now, where, and if not, why not and what it waits for. */
@NullMarked
package dev.muster.core.decide;

import org.jspecify.annotations.NullMarked;

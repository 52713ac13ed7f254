/** Meters with a bounded set of labels. */
@NullMarked
package dev.muster.metrics;

import org.jspecify.annotations.NullMarked;

/** What is measured, with names and labels that stay: docs/metrics.md lists them. */
@NullMarked
package dev.muster.metrics;

import org.jspecify.annotations.NullMarked;

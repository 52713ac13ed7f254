/** Quarkus wiring: the only package that knows Quarkus, and the only one that knows all the others. */
@NullMarked
package dev.muster.app;

import org.jspecify.annotations.NullMarked;

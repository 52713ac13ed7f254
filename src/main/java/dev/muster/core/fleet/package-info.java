/** Where members can go: nodes, what is free on them, and the search for a place that holds a whole gang. */
@NullMarked
package dev.muster.core.fleet;

import org.jspecify.annotations.NullMarked;

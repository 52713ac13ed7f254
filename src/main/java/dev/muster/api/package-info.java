/** The wire: custom resources, and the names of labels, annotations and gates. */
@NullMarked
package dev.muster.api;

import org.jspecify.annotations.NullMarked;

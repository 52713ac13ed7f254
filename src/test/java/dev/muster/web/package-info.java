/** The page and REST over given views. */
@NullMarked
package dev.muster.web;

import org.jspecify.annotations.NullMarked;

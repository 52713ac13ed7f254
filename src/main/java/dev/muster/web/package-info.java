/** REST answers, live changes and the page, all read from the engine's views. */
@NullMarked
package dev.muster.web;

import org.jspecify.annotations.NullMarked;

/** The engine in virtual time: replays lists of jobs on a made-up fleet and measures what came of it. */
@NullMarked
package dev.muster.sim;

import org.jspecify.annotations.NullMarked;

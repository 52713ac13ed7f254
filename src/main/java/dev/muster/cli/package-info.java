/** Commands of the program that run without a cluster and end: they read files and print. */
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;

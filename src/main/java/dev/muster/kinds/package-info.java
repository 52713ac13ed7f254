/**
 * Kinds of jobs as data: descriptors, how they are read from files and checked, and what an operator applies for them.
 * Nothing here reads a job or calls a cluster.
 */
@NullMarked
package dev.muster.kinds;

import org.jspecify.annotations.NullMarked;

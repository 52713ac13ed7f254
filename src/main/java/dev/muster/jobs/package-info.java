/**
 * Kubernetes objects read into the values of the core, and the core's decisions written as patches. Pure functions on
 * model classes: nothing here calls a cluster, and nothing depends on the name of an object.
 */
@NullMarked
package dev.muster.jobs;

import org.jspecify.annotations.NullMarked;

/**
 * The real cluster behind {@link dev.muster.engine.Cluster}: informers become events, a plan becomes patches, a lease says
 * who may write, and every write carries its fence.
 */
@NullMarked
package dev.muster.kube;

import org.jspecify.annotations.NullMarked;

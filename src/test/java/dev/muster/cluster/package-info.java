/** What integration tests need of a real control plane: the cluster itself, simulated nodes, and Muster as a process of its own. */
@NullMarked
package dev.muster.cluster;

import org.jspecify.annotations.NullMarked;

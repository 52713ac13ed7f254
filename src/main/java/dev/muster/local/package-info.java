/**
 * A cluster in memory behind the port that the Kubernetes shell implements: it stores objects, plays the API server's
 * refusals, the job controller, the scheduler and the kubelets, in scaled time. Time comes in as an argument.
 */
@NullMarked
package dev.muster.local;

import org.jspecify.annotations.NullMarked;

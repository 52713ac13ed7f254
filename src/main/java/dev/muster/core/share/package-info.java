/**
 * Quota, entitlement, cover and order: what each queue has, is due and gets next. Integers only, total orders only, arrays
 * indexed by node and dimension; nothing here knows gangs' pods, nodes of the cluster or the clock.
 */
@NullMarked
package dev.muster.core.share;

import org.jspecify.annotations.NullMarked;

/** The values that the core decides about: gangs, nodes, queues, node classes, admissions, reasons. Records and enums only. */
@NullMarked
package dev.muster.core.model;

import org.jspecify.annotations.NullMarked;

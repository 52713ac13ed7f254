/** The whole product on a real control plane: Muster from its packaged jar, with its own account, beside a real scheduler. */
@org.jspecify.annotations.NullMarked
package dev.muster.product;

/**
 * The wire: the custom resources of group {@code muster.dev}, version {@code v1alpha1}, as Java records (the CRDs in
 * {@code manifests/crds} are generated from them), and the names of labels, annotations and gates.
 *
 * <p>A record gives absent fields the defaults of the schema, so that an object read from a file equals one read from an
 * API server. What is required or bounded is checked by the schema, not by the records.
 */
@NullMarked
package dev.muster.api;

import org.jspecify.annotations.NullMarked;

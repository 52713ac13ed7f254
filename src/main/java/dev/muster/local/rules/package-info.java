/** What the API server itself would refuse: schemas and rules of custom resources, admission policies, built-in validation. */
@NullMarked
package dev.muster.local.rules;

import org.jspecify.annotations.NullMarked;

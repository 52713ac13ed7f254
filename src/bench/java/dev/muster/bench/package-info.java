/** Benchmarks of the engine; run with {@code ./mvnw -Pbench -Dquick test}. */
@NullMarked
package dev.muster.bench;

import org.jspecify.annotations.NullMarked;

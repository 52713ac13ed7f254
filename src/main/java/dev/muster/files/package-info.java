/** Manifests and queue folders as text: read strictly, with every problem at once and the line it stands on. */
@NullMarked
package dev.muster.files;

import org.jspecify.annotations.NullMarked;

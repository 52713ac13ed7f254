/** Who may see what through REST: callers by their token, and the namespaces that each may look into. */
@NullMarked
package dev.muster.web.access;

import org.jspecify.annotations.NullMarked;

/**
 * The door: pure decisions about objects that are about to be stored, and the TLS server that answers with them. Nothing
 * is charged, reserved or counted here, for the object may never be stored; a dry run gets the same answer.
 */
@NullMarked
package dev.muster.webhook;

import org.jspecify.annotations.NullMarked;

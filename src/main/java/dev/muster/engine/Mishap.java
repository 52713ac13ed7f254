package dev.muster.engine;

import dev.muster.core.model.PodReport.Fault;
import dev.muster.core.model.Reason;

/**
 * Why a gang has to give its place back though nobody else is due it.
 *
 * @param fault whose fault it is
 * @param withNotice whether its members are well enough to be told first
 */
record Mishap(Reason reason, String sentence, Fault fault, boolean withNotice) {}

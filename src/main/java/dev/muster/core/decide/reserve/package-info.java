/** What is promised to gangs that do not fit yet: how long gangs run, when and where there will be room, and who has to wait. */
@NullMarked
package dev.muster.core.decide.reserve;

import org.jspecify.annotations.NullMarked;

/**
 * Virtual time: coded sessions, and models of TCP beside them, over modelled links. No clock is
 * read, so the same seed gives the same run, and minutes take milliseconds.
 */
@NullMarked
package io.cascade.simulation;

import org.jspecify.annotations.NullMarked;

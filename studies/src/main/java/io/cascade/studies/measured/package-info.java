/**
 * The planner and {@code send} held to what the product measures itself: many emulated paths, real
 * processes, and a report of what {@code send} did beside every fixed way.
 */
@NullMarked
package io.cascade.studies.measured;

import org.jspecify.annotations.NullMarked;

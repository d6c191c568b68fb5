/**
 * Comparison of the planner and {@code send} with the product's own measurements: many emulated
 * paths, real processes, and a report of {@code send} beside every fixed way.
 */
@NullMarked
package io.cascade.studies.measured;

import org.jspecify.annotations.NullMarked;

/** Estimates that know how much was measured, and the intervals that follow from it. */
@NullMarked
package io.cascade.model.uncertainty;

import org.jspecify.annotations.NullMarked;

/** Estimates with their uncertainty by the number of measurements, and intervals. */
@NullMarked
package io.cascade.model.uncertainty;

import org.jspecify.annotations.NullMarked;

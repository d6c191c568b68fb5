/**
 * Quantities that cross the edges of the model, and the refusal of values outside a formula's
 * domain.
 */
@NullMarked
package io.cascade.model.units;

import org.jspecify.annotations.NullMarked;

/** Quantities in the model's interface, and the refusal of values outside a formula's domain. */
@NullMarked
package io.cascade.model.units;

import org.jspecify.annotations.NullMarked;

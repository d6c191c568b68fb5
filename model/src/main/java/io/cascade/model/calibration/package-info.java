/**
 * Calibration: how much links differ from the model's predictions, and when to try a way only to
 * learn about it.
 */
@NullMarked
package io.cascade.model.calibration;

import org.jspecify.annotations.NullMarked;

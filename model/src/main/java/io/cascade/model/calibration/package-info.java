/**
 * Calibration: how much faster or slower links turn out than the model says, and when to try a way
 * only to learn of it.
 */
@NullMarked
package io.cascade.model.calibration;

import org.jspecify.annotations.NullMarked;

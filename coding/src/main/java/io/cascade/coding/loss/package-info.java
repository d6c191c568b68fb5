/** Losses of a path: their rate, their bursts, and tests for an excess. */
@NullMarked
package io.cascade.coding.loss;

import org.jspecify.annotations.NullMarked;

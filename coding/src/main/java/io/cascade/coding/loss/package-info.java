/** Loss of a path: its rate, its bursts, and tests for more than usual. */
@NullMarked
package io.cascade.coding.loss;

import org.jspecify.annotations.NullMarked;

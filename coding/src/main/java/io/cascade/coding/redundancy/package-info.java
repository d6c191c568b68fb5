/** Decides when a repair is sent instead of the next source symbol, and over which symbols. */
@NullMarked
package io.cascade.coding.redundancy;

import org.jspecify.annotations.NullMarked;

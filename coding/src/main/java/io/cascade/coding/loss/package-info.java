/** How much a path loses, in which bursts, and whether that is more than usual. */
@NullMarked
package io.cascade.coding.loss;

import org.jspecify.annotations.NullMarked;

/** Moves one direction of a stream from its source to its sink within a bounded budget. */
@NullMarked
package io.cascade.relay.pump;

import org.jspecify.annotations.NullMarked;

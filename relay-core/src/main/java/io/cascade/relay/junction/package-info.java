/**
 * Junctions of chains: dials and accepts the pipes of a segment. The stream over them is in {@code
 * io.cascade.carriage.junction}.
 */
@NullMarked
package io.cascade.relay.junction;

import org.jspecify.annotations.NullMarked;

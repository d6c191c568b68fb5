/**
 * Junctions in the agent's process: local connections on one side, pipes on the other. {@code
 * io.cascade.carriage.junction} carries a stream over pipes; this package dials and accepts them.
 */
@NullMarked
package io.cascade.client.forward;

import org.jspecify.annotations.NullMarked;

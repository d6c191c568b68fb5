/**
 * Junctions in the agent's process: local connections on one side, pipes on the other. What
 * segments are is in {@code io.cascade.segments}; here are its sockets, threads and clocks.
 */
@NullMarked
package io.cascade.client.forward;

import org.jspecify.annotations.NullMarked;

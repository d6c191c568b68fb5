/**
 * One stream over several pipes, for relays and for {@code forward}: its event loop, its
 * connections and its memory. The protocol is in {@code io.cascade.segments}. {@code
 * io.cascade.relay.junction} and {@code io.cascade.client.forward} dial and accept the pipes.
 */
@NullMarked
package io.cascade.carriage.junction;

import org.jspecify.annotations.NullMarked;

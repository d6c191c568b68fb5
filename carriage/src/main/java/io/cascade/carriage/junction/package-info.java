/**
 * One stream over several pipes, for relays and for {@code forward}: its event loop, its
 * connections and its memory. The protocol is in {@code io.cascade.segments}. Pipes are dialled and
 * taken by {@code io.cascade.relay.junction} and {@code io.cascade.client.forward}.
 */
@NullMarked
package io.cascade.carriage.junction;

import org.jspecify.annotations.NullMarked;

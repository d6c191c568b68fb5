/**
 * Blocking connections between the two ends of a transfer: TCP by a system socket, the interface
 * {@link io.cascade.client.transfer.connection.ByteConnection} of all kinds, complete reads and
 * writes, a rate limit, and the guard that closes a stalled connection.
 */
@NullMarked
package io.cascade.client.transfer.connection;

import org.jspecify.annotations.NullMarked;

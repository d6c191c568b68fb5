/**
 * Connections between the two ends of a transfer, blocking: TCP by a system socket, the interface
 * {@link io.cascade.client.transfer.connection.ByteConnection} of all kinds, whole reads and
 * writes, a limit of the rate, and the guard that ends what stands still.
 */
@NullMarked
package io.cascade.client.transfer.connection;

import org.jspecify.annotations.NullMarked;

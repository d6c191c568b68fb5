/**
 * Decides which block is sent over which connection: what is in flight, how fast each connection
 * delivers, and which one stands by. Without sockets and files.
 */
@NullMarked
package io.cascade.client.transfer.schedule;

import org.jspecify.annotations.NullMarked;

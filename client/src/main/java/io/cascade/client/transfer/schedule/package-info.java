/**
 * Which block goes over which connection: what is under way, how fast each connection delivers, and
 * which one stands by. Without sockets and files.
 */
@NullMarked
package io.cascade.client.transfer.schedule;

import org.jspecify.annotations.NullMarked;

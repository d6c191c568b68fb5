/**
 * Datagrams in a session: either each is passed on as soon as it is known, or all of them in order.
 */
@NullMarked
package io.cascade.coding.datagram;

import org.jspecify.annotations.NullMarked;

/**
 * Packets in datagrams between the two ends of a pair, and the ends' measurements of each pipe
 * between them.
 */
@NullMarked
package io.cascade.packets.encapsulation;

import org.jspecify.annotations.NullMarked;

/**
 * Packets in datagrams between the two ends of a pair, and what the ends measure of each pipe in
 * between.
 */
@NullMarked
package io.cascade.packets.encapsulation;

import org.jspecify.annotations.NullMarked;
